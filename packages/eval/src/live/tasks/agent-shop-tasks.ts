import { mentionsNumber } from '../answer.js'
import { isEqualJson } from '../json.js'
import type { Task } from '../task.js'
import { createShopWorld, type Product } from '../worlds/shop-world.js'
import { defineAgent, listProblems } from './define-task.js'

const products: readonly Product[] = [
  { id: 301, name: 'Clack 87', category: 'keyboard', price_cents: 7900, stock: 12 },
  { id: 302, name: 'Slim 60', category: 'keyboard', price_cents: 5900, stock: 1 },
  { id: 303, name: 'Budget 104', category: 'keyboard', price_cents: 2900, stock: 0 },
  { id: 304, name: 'Quiet 75', category: 'keyboard', price_cents: 6400, stock: 5 },
  {
    id: 410,
    name: 'View 27',
    category: 'monitor',
    price_cents: 21_900,
    stock: 0,
    replacement_id: 411,
  },
  { id: 411, name: 'View 27 B', category: 'monitor', price_cents: 22_900, stock: 3 },
  { id: 520, name: 'HDMI cable, 2 m', category: 'cable', price_cents: 990, stock: 40 },
]
const giftNote = 'Für Zoë: "Happy 30th!" – & don\'t work too late'

/** Tasks in a shop. The final orders are checked. */
export const agentShopTasks: readonly Task[] = [
  defineAgent({
    id: 'shop-cheapest',
    category: 'shop',
    prompt: `Buy 3 pieces of the cheapest keyboard of which at least 3 are in stock. Use the coupon TEAM20. Standard shipping to Amal Haddad, Rue des Lilas 12, 1003 Lausanne. The gift note is exactly: ${giftNote}\nTell me the total in cents.`,
    open: () => {
      const world = createShopWorld(products)
      return {
        tools: world.tools,
        check: ({ text }) => {
          const [order] = world.orders
          return listProblems(
            [world.orders.length === 1, `${world.orders.length} orders were placed`],
            [
              isEqualJson(order?.lines, [{ product_id: 304, quantity: 3 }]),
              `the order is for ${JSON.stringify(order?.lines)}`,
            ],
            [
              order?.total_cents === 15_850,
              `the total is ${order?.total_cents} cents instead of 15850`,
            ],
            [
              isEqualJson(order?.address, {
                name: 'Amal Haddad',
                street: 'Rue des Lilas 12',
                city: 'Lausanne',
                postal_code: '1003',
              }),
              `the address is ${JSON.stringify(order?.address)}`,
            ],
            [order?.gift_note === giftNote, `the gift note is ${JSON.stringify(order?.gift_note)}`],
            [
              mentionsNumber(text, 15_850) || mentionsNumber(text, 158.5),
              'the answer does not say 15850',
            ],
          )
        },
      }
    },
    steps: [
      [{ name: 'search_products', args: { category: 'keyboard', sort: 'price_ascending' } }],
      [{ name: 'add_to_cart', args: { product_id: 304, quantity: 3 } }],
      [{ name: 'apply_coupon', args: { code: 'TEAM20' } }],
      [
        {
          name: 'place_order',
          args: {
            shipping: 'standard',
            address: {
              name: 'Amal Haddad',
              street: 'Rue des Lilas 12',
              city: 'Lausanne',
              postal_code: '1003',
            },
            gift_note: giftNote,
          },
        },
      ],
    ],
    answer: 'I ordered three Quiet 75. The total is 15850 cents.',
  }),
  defineAgent({
    id: 'shop-replacement',
    category: 'shop',
    prompt:
      'Order 2 monitors with the product number 410 and 2 cables with the product number 520. If a product is sold out, take the product that replaces it instead. Pickup, in the name of Ines Kovač, Trg 1, 10000 Zagreb. No gift note.',
    open: () => {
      const world = createShopWorld(products)
      return {
        tools: world.tools,
        check: () => {
          const [order] = world.orders
          const lines = [...(order?.lines ?? [])].sort((a, b) => a.product_id - b.product_id)
          return listProblems(
            [world.orders.length === 1, `${world.orders.length} orders were placed`],
            [
              isEqualJson(lines, [
                { product_id: 411, quantity: 2 },
                { product_id: 520, quantity: 2 },
              ]),
              `the order is for ${JSON.stringify(lines)}`,
            ],
            [order?.shipping === 'pickup', `the shipping is ${order?.shipping}`],
            [order?.address.name === 'Ines Kovač', `the name is ${order?.address.name}`],
          )
        },
      }
    },
    steps: [
      [
        { name: 'get_product', args: { product_id: 410 } },
        { name: 'get_product', args: { product_id: 520 } },
      ],
      [{ name: 'get_product', args: { product_id: 411 } }],
      [
        { name: 'add_to_cart', args: { product_id: 411, quantity: 2 } },
        { name: 'add_to_cart', args: { product_id: 520, quantity: 2 } },
      ],
      [
        {
          name: 'place_order',
          args: {
            shipping: 'pickup',
            address: { name: 'Ines Kovač', street: 'Trg 1', city: 'Zagreb', postal_code: '10000' },
          },
        },
      ],
    ],
    answer: 'Ordered: two View 27 B instead of the View 27, and two cables.',
  }),
]
