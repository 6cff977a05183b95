import { anyOrder, oneOf, optional, words } from '../match.js'
import type { Task } from '../task.js'
import { createConvertWorld } from '../worlds/convert-world.js'
import { defineSingle } from './define-task.js'
import { bank, calendar, data, home, mail, shop, tickets } from './single-worlds.js'

/** Calls whose arguments are short. */
export const singlePlainTasks: readonly Task[] = [
  defineSingle({
    id: 'thermometer',
    category: 'enum',
    prompt: 'How warm is it in the living room?',
    open: home,
    calls: [{ name: 'read_thermometer', args: { room: 'living_room' } }],
  }),
  defineSingle({
    id: 'light-warm',
    category: 'enum',
    prompt: 'Set the light in the office to 35 percent, warm.',
    open: home,
    calls: [{ name: 'set_light', args: { room: 'office', brightness: 35, color: 'warm' } }],
  }),
  defineSingle({
    id: 'heating-decimal',
    category: 'number',
    prompt: 'Heat the bedroom to 18.5 degrees Celsius.',
    open: home,
    calls: [{ name: 'set_heating', args: { room: 'bedroom', celsius: 18.5 } }],
  }),
  defineSingle({
    id: 'convert-miles',
    category: 'number',
    prompt: 'How many kilometers are 26.2 miles? Use the tools, do not calculate yourself.',
    open: createConvertWorld,
    calls: [{ name: 'convert_units', args: { value: 26.2, from: 'mile', to: 'kilometer' } }],
  }),
  defineSingle({
    id: 'calculate-negative',
    category: 'number',
    prompt: 'Use the calculator: multiply minus 17.25, on the left, by 480, on the right.',
    open: createConvertWorld,
    calls: [{ name: 'calculate', args: { operation: 'multiply', left: -17.25, right: 480 } }],
  }),
  defineSingle({
    id: 'balance-leading-zeros',
    category: 'id',
    prompt: 'What is the balance of account 00731?',
    open: bank,
    calls: [{ name: 'get_balance', args: { account: '00731' } }],
  }),
  defineSingle({
    id: 'transfer-cents',
    category: 'id',
    prompt:
      'Transfer 12 euros and 5 cents from account 00731 to account 00948 with the memo "Lunch".',
    open: bank,
    calls: [
      {
        name: 'transfer',
        args: { from: '00731', to: '00948', amount_cents: 1205, memo: 'Lunch' },
        rules: { memo: words('Lunch') },
      },
    ],
  }),
  defineSingle({
    id: 'ticket-nobody',
    category: 'null',
    prompt: 'Nobody works on ticket 311 any more: clear its assignee, and leave all else as it is.',
    open: tickets,
    calls: [{ name: 'update_ticket', args: { ticket_id: 311, assignee: null } }],
  }),
  defineSingle({
    id: 'ticket-update',
    category: 'enum',
    prompt:
      'Give ticket 311 to Yuki, set it to in progress, and make it urgent. One update is enough.',
    open: tickets,
    calls: [
      {
        name: 'update_ticket',
        args: { ticket_id: 311, status: 'in_progress', priority: 'urgent', assignee: 'Yuki' },
      },
    ],
  }),
  defineSingle({
    id: 'event-create',
    category: 'list',
    prompt:
      'Put "Design review" into the calendar on 2031-05-08 from 14:30 to 15:15, with Noor and Ade, in room Cedar.',
    open: calendar,
    calls: [
      {
        name: 'create_event',
        args: {
          title: 'Design review',
          date: '2031-05-08',
          start: '14:30',
          end: '15:15',
          attendees: ['Noor', 'Ade'],
          location: 'Cedar',
        },
        rules: {
          title: words('Design review'),
          attendees: anyOrder('Noor', 'Ade'),
          location: oneOf(words('Cedar'), words('room Cedar')),
        },
      },
    ],
  }),
  defineSingle({
    id: 'event-update-nested',
    category: 'nested',
    prompt:
      'Event 41 now begins at 10:30 and ends at 11:30, and its title is "Budget 2032". Nothing else changes.',
    open: calendar,
    calls: [
      {
        name: 'update_event',
        args: { event_id: 41, changes: { start: '10:30', end: '11:30', title: 'Budget 2032' } },
      },
    ],
  }),
  defineSingle({
    id: 'search-shop',
    category: 'enum',
    prompt: 'Show me desk lamps for at most 45 euros, the cheapest first.',
    open: shop,
    calls: [
      {
        name: 'search_products',
        args: { category: 'desk_lamp', max_price_cents: 4500, sort: 'price_ascending' },
      },
    ],
  }),
  defineSingle({
    id: 'thermometers-parallel',
    category: 'parallel',
    prompt: 'Measure the temperature in the kitchen, the hall and the bedroom, all at once.',
    open: home,
    calls: [
      { name: 'read_thermometer', args: { room: 'kitchen' } },
      { name: 'read_thermometer', args: { room: 'hall' } },
      { name: 'read_thermometer', args: { room: 'bedroom' } },
    ],
  }),
  defineSingle({
    id: 'mixed-parallel',
    category: 'parallel',
    prompt:
      'Do these two things at the same time: turn the light in the hall off, and set the heating of the hall to 16 degrees.',
    open: home,
    calls: [
      { name: 'set_light', args: { room: 'hall', brightness: 0 } },
      { name: 'set_heating', args: { room: 'hall', celsius: 16 } },
    ],
  }),
  defineSingle({
    id: 'irrelevant-poem',
    category: 'irrelevance',
    prompt: 'Write two lines about rain on a tin roof.',
    open: bank,
    calls: [],
  }),
  defineSingle({
    id: 'irrelevant-flight',
    category: 'irrelevance',
    prompt: 'Book me a flight from Lima to Quito tomorrow morning.',
    open: mail,
    calls: [],
  }),
  defineSingle({
    id: 'query-conditions',
    category: 'list-of-objects',
    prompt:
      'Query the table sales: rows where region equals "north" and amount is greater than 99.5, ordered by amount, highest first, at most 3 rows.',
    open: data,
    calls: [
      {
        name: 'query_table',
        args: {
          table: 'sales',
          conditions: [
            { column: 'region', operator: 'equals', value: 'north' },
            { column: 'amount', operator: 'greater_than', value: 99.5 },
          ],
          order_by: { column: 'amount', direction: 'descending' },
          limit: 3,
        },
        rules: {
          conditions: anyOrder(
            { column: 'region', operator: 'equals', value: 'north' },
            { column: 'amount', operator: 'greater_than', value: 99.5 },
          ),
        },
      },
    ],
  }),
  defineSingle({
    id: 'query-null',
    category: 'null',
    prompt: 'Query the table sales for the rows whose region equals null. No order, no limit.',
    open: data,
    calls: [
      {
        name: 'query_table',
        args: {
          table: 'sales',
          conditions: [{ column: 'region', operator: 'equals', value: null }],
        },
      },
    ],
  }),
  defineSingle({
    id: 'email-cc',
    category: 'list',
    prompt:
      'Send an e-mail to priya@example.com with a copy to ola@example.com. Subject: "Keys". Body: "The keys are at the desk."',
    open: mail,
    calls: [
      {
        name: 'send_email',
        args: {
          to: ['priya@example.com'],
          cc: ['ola@example.com'],
          subject: 'Keys',
          body: 'The keys are at the desk.',
        },
        rules: { subject: words('Keys'), body: words('The keys are at the desk.') },
      },
    ],
  }),
  defineSingle({
    id: 'order-address',
    category: 'nested',
    prompt:
      'Order what is in my cart with express shipping to Jonas Weber, Lindenweg 4, 04109 Leipzig. No gift note.',
    open: shop,
    calls: [
      {
        name: 'place_order',
        args: {
          shipping: 'express',
          address: {
            name: 'Jonas Weber',
            street: 'Lindenweg 4',
            city: 'Leipzig',
            postal_code: '04109',
          },
        },
        rules: { gift_note: optional('') },
      },
    ],
  }),
]
