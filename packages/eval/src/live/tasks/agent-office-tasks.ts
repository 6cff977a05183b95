import { mentions } from '../answer.js'
import { isEqualJson } from '../json.js'
import type { Task } from '../task.js'
import { createDataWorld } from '../worlds/data-world.js'
import { createMailWorld } from '../worlds/mail-world.js'
import { createTicketWorld, type Ticket } from '../worlds/ticket-world.js'
import { defineAgent, listProblems } from './define-task.js'

const ticket = (id: number, title: string, more: Partial<Ticket>): Ticket => ({
  id,
  title,
  body: title,
  status: 'open',
  priority: 'normal',
  labels: [],
  assignee: null,
  comments: [],
  ...more,
})
const openTickets = () =>
  createTicketWorld([
    ticket(2001, 'App crashes when the camera opens', { labels: ['crash', 'mobile'] }),
    ticket(2002, 'Typo on the price page', { labels: ['web'] }),
    ticket(2003, 'Crash on start after the update', {
      labels: ['crash', 'mobile'],
      assignee: 'Bea',
    }),
    ticket(2004, 'Crash while it rotates', { labels: ['crash', 'mobile'] }),
    ticket(2005, 'Crash in the old version', { labels: ['crash', 'mobile'], status: 'closed' }),
    ticket(2006, 'Export is empty', {
      labels: ['export'],
      body: 'The CSV has only a header. Build 7781.',
    }),
    ticket(2007, 'CSV file without rows', {
      labels: ['export'],
      body: 'Same build 7781, only the first line comes.',
    }),
    ticket(2008, 'Export as PDF', {
      labels: ['export'],
      body: 'I would like to have PDF files, too.',
    }),
  ])
const crashNote = 'Imani takes over: please attach "crash.log" & the build number.'

/** Tasks on tickets and invoices: find the right ones, and leave the others alone. */
export const agentOfficeTasks: readonly Task[] = [
  defineAgent({
    id: 'tickets-crashes',
    category: 'tickets',
    prompt: `Find all open tickets with the label crash that nobody has. Give each of them to the person who is on call for mobile, make it urgent, and add to each exactly this comment: ${crashNote}`,
    open: () => {
      const world = openTickets()
      return {
        tools: world.tools,
        check: () => {
          const before = openTickets().tickets
          return [...world.tickets.values()].flatMap(found => {
            const isMeant = found.id === 2001 || found.id === 2004
            const wanted = isMeant
              ? {
                  ...before.get(found.id),
                  assignee: 'Imani',
                  priority: 'urgent',
                  comments: [crashNote],
                }
              : before.get(found.id)
            return isEqualJson(found, wanted)
              ? []
              : [`ticket ${found.id} is now ${JSON.stringify(found)}`]
          })
        },
      }
    },
    steps: [
      [
        { name: 'search_tickets', args: { status: 'open', label: 'crash', assignee: null } },
        { name: 'get_on_call', args: { team: 'mobile' } },
      ],
      [
        { name: 'update_ticket', args: { ticket_id: 2001, priority: 'urgent', assignee: 'Imani' } },
        { name: 'add_comment', args: { ticket_id: 2001, body: crashNote } },
        { name: 'update_ticket', args: { ticket_id: 2004, priority: 'urgent', assignee: 'Imani' } },
        { name: 'add_comment', args: { ticket_id: 2004, body: crashNote } },
      ],
    ],
    answer: 'Tickets 2001 and 2004 are with Imani now.',
  }),
  defineAgent({
    id: 'tickets-duplicate',
    category: 'tickets',
    prompt:
      'Among the open tickets with the label export, two are about the same bug. Read them all to find out which. Mark the newer one (the higher number) as a duplicate of the older one and close it. Say which ticket you closed.',
    open: () => {
      const world = openTickets()
      return {
        tools: world.tools,
        check: ({ text }) => {
          const before = openTickets().tickets
          const found = world.tickets.get(2007)
          const others = [...world.tickets.values()].filter(({ id }) => id !== 2007)
          return listProblems(
            [found?.duplicate_of === 2006, `ticket 2007 is a duplicate of ${found?.duplicate_of}`],
            [found?.status === 'closed', `ticket 2007 is ${found?.status}`],
            [
              others.every(each => isEqualJson(each, before.get(each.id))),
              'other tickets were changed',
            ],
            [text.includes('2007'), 'the answer does not name ticket 2007'],
          )
        },
      }
    },
    steps: [
      [{ name: 'search_tickets', args: { status: 'open', label: 'export' } }],
      [
        { name: 'get_ticket', args: { ticket_id: 2006 } },
        { name: 'get_ticket', args: { ticket_id: 2007 } },
        { name: 'get_ticket', args: { ticket_id: 2008 } },
      ],
      [{ name: 'mark_duplicate', args: { ticket_id: 2007, duplicate_of: 2006 } }],
      [{ name: 'update_ticket', args: { ticket_id: 2007, status: 'closed' } }],
    ],
    answer: 'I closed ticket 2007, which is a duplicate of 2006.',
  }),
  defineAgent({
    id: 'mail-overdue',
    category: 'mail',
    prompt:
      'In the table invoices, find the invoices that are not paid and of more than 1000 euros. Write one e-mail to each of these customers: look up the address by the name, the subject is "Invoice <number>", and the body names the amount. Send nothing to anybody else.',
    open: () => {
      const data = createDataWorld({
        invoices: [
          { number: 'A-17', customer: 'Oskar Lind', euros: 1250, paid: false },
          { number: 'A-18', customer: 'Mei Tanaka', euros: 980, paid: false },
          { number: 'A-19', customer: 'Rosa Íñigo', euros: 4310.5, paid: false },
          { number: 'A-20', customer: 'Oskar Lind', euros: 2200, paid: true },
        ],
      })
      const mail = createMailWorld([
        { name: 'Oskar Lind', email: 'oskar.lind@example.org' },
        { name: 'Mei Tanaka', email: 'mei@example.org' },
        { name: 'Rosa Íñigo', email: 'rosa+bills@example.net' },
      ])
      return {
        tools: [...data.tools, ...mail.tools],
        check: () => {
          const isSent = (to: string, subject: string, amount: RegExp) =>
            mail.sent.some(
              each =>
                isEqualJson(each.to, [to]) &&
                mentions(each.subject, subject) &&
                amount.test(each.body),
            )
          return listProblems(
            [mail.sent.length === 2, `${mail.sent.length} e-mails were sent instead of 2`],
            [
              isSent('oskar.lind@example.org', 'Invoice A-17', /1[., ]?250/),
              'the e-mail for A-17 is missing or wrong',
            ],
            [
              isSent('rosa+bills@example.net', 'Invoice A-19', /4[., ]?310[.,]50?/),
              'the e-mail for A-19 is missing or wrong',
            ],
          )
        },
      }
    },
    steps: [
      [
        {
          name: 'query_table',
          args: {
            table: 'invoices',
            conditions: [
              { column: 'paid', operator: 'equals', value: false },
              { column: 'euros', operator: 'greater_than', value: 1000 },
            ],
          },
        },
      ],
      [
        { name: 'find_contact', args: { name: 'Oskar Lind' } },
        { name: 'find_contact', args: { name: 'Rosa Íñigo' } },
      ],
      [
        {
          name: 'send_email',
          args: {
            to: ['oskar.lind@example.org'],
            subject: 'Invoice A-17',
            body: 'Dear Oskar,\n\nplease pay the 1250 euros of invoice "A-17".\n\nThank you',
          },
        },
        {
          name: 'send_email',
          args: {
            to: ['rosa+bills@example.net'],
            subject: 'Invoice A-19',
            body: 'Dear Rosa,\n\nplease pay the 4310.50 euros of invoice "A-19".\n\nThank you',
          },
        },
      ],
    ],
    answer: 'I wrote to Oskar Lind and Rosa Íñigo.',
  }),
]
