import { createBankWorld } from '../worlds/bank-world.js'
import { createCalendarWorld } from '../worlds/calendar-world.js'
import { createDataWorld } from '../worlds/data-world.js'
import { createFileWorld } from '../worlds/file-world.js'
import { createHomeWorld } from '../worlds/home-world.js'
import { createMailWorld } from '../worlds/mail-world.js'
import { createShopWorld } from '../worlds/shop-world.js'
import { createTicketWorld } from '../worlds/ticket-world.js'

// The worlds of single calls. They contain little, because the results are not used.
export const files = () =>
  createFileWorld({ '/app/server.ts': "listen(80)\nlog('up')\n", '/notes/ideas.txt': 'Ideas' })
export const calendar = () =>
  createCalendarWorld([
    {
      id: 41,
      title: 'Budget',
      date: '2031-05-06',
      start: '10:00',
      end: '11:00',
      attendees: ['Noor', 'Lena'],
    },
  ])
export const shop = () =>
  createShopWorld([{ id: 7, name: 'Slim 60', category: 'keyboard', price_cents: 5900, stock: 4 }], {
    7: 2,
  })
export const tickets = () =>
  createTicketWorld([
    {
      id: 311,
      title: 'Login page is blank',
      body: 'Since Monday.',
      status: 'open',
      priority: 'normal',
      labels: ['web'],
      assignee: null,
      comments: [],
    },
  ])
export const bank = () => createBankWorld({ balances: { '00731': 50_000, '00948': 1200 } })
export const data = () => createDataWorld({ sales: [{ id: 1, region: 'north', amount: 120 }] })
export const mail = () => createMailWorld([{ name: 'Priya Raman', email: 'priya@example.com' }])
export const home = () =>
  createHomeWorld({ kitchen: 20, living_room: 19, bedroom: 17, office: 21, hall: 16 })
