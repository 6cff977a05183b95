import { z } from 'zod'
import { defineTool } from '../define-tool.js'
import type { LiveTool } from '../task.js'

export interface Mail {
  readonly to: readonly string[]
  readonly cc?: readonly string[] | undefined
  readonly subject: string
  readonly body: string
}

export interface MailWorld {
  readonly sent: readonly Mail[]
  readonly tools: readonly LiveTool[]
}

export function createMailWorld(
  contacts: readonly { readonly name: string; readonly email: string }[],
): MailWorld {
  const sent: Mail[] = []
  const tools = [
    defineTool({
      name: 'find_contact',
      description: 'Finds the e-mail address of a person by a part of the name.',
      input: z.object({ name: z.string() }),
      execute: ({ name }) => ({
        contacts: contacts.filter(each => each.name.toLowerCase().includes(name.toLowerCase())),
      }),
    }),
    defineTool({
      name: 'send_email',
      description: 'Sends an e-mail at once.',
      input: z.object({
        to: z.array(z.string()).min(1).describe('E-mail addresses'),
        cc: z.array(z.string()).optional(),
        subject: z.string(),
        body: z.string().describe('Plain text'),
      }),
      execute: mail => {
        sent.push(mail)
        return { sent: true, recipients: mail.to.length + (mail.cc?.length ?? 0) }
      },
    }),
  ]
  return { sent, tools }
}
