import { z } from 'zod'
import { defineTool } from '../define-tool.js'
import type { LiveTool } from '../task.js'

export interface TextWorld {
  readonly snippets: Map<string, { readonly language: string; readonly code: string }>
  readonly translations: Map<string, Readonly<Record<string, string | undefined>>>
  readonly tools: readonly LiveTool[]
}

/** Code, translations and bookings: arguments that are hard to write. */
export function createTextWorld(): TextWorld {
  const snippets: TextWorld['snippets'] = new Map()
  const translations: TextWorld['translations'] = new Map()
  const bookings: unknown[] = []
  const tools = [
    defineTool({
      name: 'save_snippet',
      description: 'Saves a piece of source code, character by character as it is given.',
      input: z.object({
        title: z.string(),
        language: z.enum(['typescript', 'python', 'shell', 'html', 'regex']),
        code: z.string(),
      }),
      execute: ({ title, language, code }) => {
        snippets.set(title, { language, code })
        return { saved: title, lines: code.split('\n').length }
      },
    }),
    defineTool({
      name: 'save_translations',
      description: 'Saves the text of the user interface for one key in several languages.',
      input: z.object({
        key: z.string(),
        texts: z
          .object({
            de: z.string().optional(),
            fr: z.string().optional(),
            ja: z.string().optional(),
            ar: z.string().optional(),
          })
          .describe('The text by language code'),
      }),
      execute: ({ key, texts }) => {
        translations.set(key, texts)
        return { saved: key }
      },
    }),
    defineTool({
      name: 'book_train',
      description: 'Books a train for one or more people.',
      input: z.object({
        from: z.string(),
        to: z.string(),
        date: z.string().describe('YYYY-MM-DD'),
        class: z.enum(['first', 'second']),
        passengers: z
          .array(
            z.object({
              name: z.string(),
              age: z.int(),
              seat: z.enum(['window', 'aisle', 'any']).optional(),
              discounts: z.array(z.string()).optional().describe('Numbers of discount cards'),
            }),
          )
          .min(1),
      }),
      execute: booking => {
        bookings.push(booking)
        return { booking_id: `T-${700 + bookings.length}`, passengers: booking.passengers.length }
      },
    }),
  ]
  return { snippets, translations, tools }
}
