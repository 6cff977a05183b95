import { z } from 'zod'
import { defineTool } from '../define-tool.js'
import type { LiveTool } from '../task.js'

const status = z.enum(['open', 'in_progress', 'blocked', 'closed'])
const priority = z.enum(['low', 'normal', 'high', 'urgent'])

export interface Ticket {
  readonly id: number
  readonly title: string
  readonly body: string
  readonly status: z.infer<typeof status>
  readonly priority: z.infer<typeof priority>
  readonly labels: readonly string[]
  readonly assignee: string | null
  readonly comments: readonly string[]
  readonly duplicate_of?: number
}

export interface TicketWorld {
  readonly tickets: Map<number, Ticket>
  readonly tools: readonly LiveTool[]
}

export function createTicketWorld(initial: readonly Ticket[]): TicketWorld {
  const tickets: Tickets = new Map(initial.map(ticket => [ticket.id, ticket]))
  return { tickets, tools: [...ticketTools(tickets), ...changeTools(tickets), onCallTool] }
}

type Tickets = Map<number, Ticket>

const ticketId = z.int().describe('The number of the ticket')

function find(tickets: Tickets, id: number): Ticket {
  const ticket = tickets.get(id)
  if (!ticket) throw new Error(`There is no ticket ${id}.`)
  return ticket
}

function change(tickets: Tickets, id: number, changes: Partial<Ticket>): Ticket {
  const ticket = { ...find(tickets, id), ...changes }
  tickets.set(id, ticket)
  return ticket
}

function ticketTools(tickets: Tickets): LiveTool[] {
  return [
    defineTool({
      name: 'search_tickets',
      description: 'Finds tickets. Shows their titles; get_ticket shows the rest.',
      input: z.object({
        status: status.optional(),
        label: z.string().optional(),
        assignee: z
          .string()
          .nullable()
          .optional()
          .describe('A name, or null for tickets that nobody has'),
      }),
      execute: filter => ({
        tickets: [...tickets.values()]
          .filter(
            each =>
              (filter.status === undefined || each.status === filter.status) &&
              (filter.label === undefined || each.labels.includes(filter.label)) &&
              (filter.assignee === undefined || each.assignee === filter.assignee),
          )
          .map(({ id, title, status, assignee }) => ({ id, title, status, assignee })),
      }),
    }),
    defineTool({
      name: 'get_ticket',
      description: 'Shows a ticket with its text and comments.',
      input: z.object({ ticket_id: ticketId }),
      execute: ({ ticket_id }) => find(tickets, ticket_id),
    }),
    defineTool({
      name: 'create_ticket',
      description: 'Creates a ticket; it is open and nobody has it.',
      input: z.object({
        title: z.string(),
        body: z.string(),
        priority,
        labels: z.array(z.string()),
      }),
      execute: input => {
        const id = Math.max(0, ...tickets.keys()) + 1
        tickets.set(id, { id, ...input, status: 'open', assignee: null, comments: [] })
        return { ticket_id: id }
      },
    }),
  ]
}

function changeTools(tickets: Tickets): LiveTool[] {
  return [
    defineTool({
      name: 'update_ticket',
      description: 'Changes a ticket. What is not given stays as it is.',
      input: z.object({
        ticket_id: ticketId,
        status: status.optional(),
        priority: priority.optional(),
        assignee: z.string().nullable().optional(),
      }),
      execute: ({ ticket_id, status, priority, assignee }) => {
        const { id, ...rest } = change(tickets, ticket_id, {
          ...(status === undefined ? {} : { status }),
          ...(priority === undefined ? {} : { priority }),
          ...(assignee === undefined ? {} : { assignee }),
        })
        return {
          ticket_id: id,
          status: rest.status,
          priority: rest.priority,
          assignee: rest.assignee,
        }
      },
    }),
    defineTool({
      name: 'add_comment',
      description: 'Adds a comment to a ticket.',
      input: z.object({ ticket_id: ticketId, body: z.string() }),
      execute: ({ ticket_id, body }) => {
        const { comments } = change(tickets, ticket_id, {
          comments: [...find(tickets, ticket_id).comments, body],
        })
        return { ticket_id, comments: comments.length }
      },
    }),
    defineTool({
      name: 'mark_duplicate',
      description: 'Says that a ticket is about the same as another one. Does not close it.',
      input: z.object({
        ticket_id: ticketId,
        duplicate_of: z.int().describe('The number of the ticket that stays'),
      }),
      execute: ({ ticket_id, duplicate_of }) => {
        find(tickets, duplicate_of)
        change(tickets, ticket_id, { duplicate_of })
        return { ticket_id, duplicate_of }
      },
    }),
  ]
}

const onCallTool = defineTool({
  name: 'get_on_call',
  description: 'Says who is on call for a team.',
  input: z.object({ team: z.enum(['mobile', 'backend', 'web']) }),
  execute: ({ team }) => ({
    team,
    person: { mobile: 'Imani', backend: 'Tomas', web: 'Yuki' }[team],
  }),
})
