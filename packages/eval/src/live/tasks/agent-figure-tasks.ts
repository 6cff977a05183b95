import { mentionsNumber } from '../answer.js'
import { isEqualJson } from '../json.js'
import type { Task } from '../task.js'
import { createBankWorld } from '../worlds/bank-world.js'
import { createConvertWorld } from '../worlds/convert-world.js'
import { createHomeWorld } from '../worlds/home-world.js'
import { defineAgent, listProblems } from './define-task.js'

/** Tasks in which numbers decide what to do: balances, temperatures, conversions. */
export const agentFigureTasks: readonly Task[] = [
  defineAgent({
    id: 'bank-rent',
    category: 'bank',
    prompt:
      'The rent of 1290.00 euros is to be on account 00100. The accounts 00201, 00202 and 00203 share it: 00201 pays half, 00202 and 00203 pay a quarter each. The memo of each transfer is exactly: Rent "March". If an account has too little, transfer nothing from it and tell me which one. Look at the balances first.',
    open: () => {
      const balances = { '00100': 0, '00201': 90_000, '00202': 32_249, '00203': 40_000 }
      const world = createBankWorld({ balances })
      return {
        tools: world.tools,
        check: ({ text }) =>
          listProblems(
            [
              isEqualJson(Object.fromEntries(world.balances), {
                '00100': 96_750,
                '00201': 25_500,
                '00202': 32_249,
                '00203': 7750,
              }),
              `the balances are ${JSON.stringify(Object.fromEntries(world.balances))}`,
            ],
            [
              world.transfers.every(({ memo }) => memo === 'Rent "March"'),
              `the memos are ${JSON.stringify(world.transfers.map(({ memo }) => memo))}`,
            ],
            [/00?202/.test(text), 'the answer does not name account 00202'],
          ),
      }
    },
    steps: [
      [
        { name: 'get_balance', args: { account: '00201' } },
        { name: 'get_balance', args: { account: '00202' } },
        { name: 'get_balance', args: { account: '00203' } },
      ],
      [
        {
          name: 'transfer',
          args: { from: '00201', to: '00100', amount_cents: 64_500, memo: 'Rent "March"' },
        },
        {
          name: 'transfer',
          args: { from: '00203', to: '00100', amount_cents: 32_250, memo: 'Rent "March"' },
        },
      ],
    ],
    answer: 'Account 00202 has too little; the other two have paid.',
  }),
  defineAgent({
    id: 'bank-duplicate',
    category: 'bank',
    prompt:
      'On one of my accounts 00501 and 00502, the same payment was made twice on the same day in April 2031: same payee, same amount. Find it, dispute the one with the higher number as a duplicate, and tell me the amount in euros.',
    open: () => {
      const world = createBankWorld({
        balances: { '00501': 10_000, '00502': 20_000 },
        transactions: [
          { id: 88_001, account: '00501', date: '2031-04-02', payee: 'Bakery', amount_cents: 640 },
          { id: 88_002, account: '00501', date: '2031-04-09', payee: 'Bakery', amount_cents: 640 },
          { id: 88_003, account: '00502', date: '2031-04-11', payee: 'Gym', amount_cents: 3990 },
          { id: 88_004, account: '00502', date: '2031-04-11', payee: 'Gym', amount_cents: 1500 },
          {
            id: 88_005,
            account: '00502',
            date: '2031-04-20',
            payee: 'Bookshop',
            amount_cents: 2745,
          },
          {
            id: 88_006,
            account: '00502',
            date: '2031-04-20',
            payee: 'Bookshop',
            amount_cents: 2745,
          },
        ],
      })
      return {
        tools: world.tools,
        check: ({ text }) =>
          listProblems(
            [
              isEqualJson(world.disputes, [{ transaction_id: 88_006, reason: 'duplicate' }]),
              `the disputes are ${JSON.stringify(world.disputes)}`,
            ],
            [/27[.,]45/.test(text), 'the answer does not say 27.45'],
          ),
      }
    },
    steps: [
      [
        {
          name: 'list_transactions',
          args: { account: '00501', from_date: '2031-04-01', to_date: '2031-04-30' },
        },
        {
          name: 'list_transactions',
          args: { account: '00502', from_date: '2031-04-01', to_date: '2031-04-30' },
        },
      ],
      [{ name: 'dispute_transaction', args: { transaction_id: 88_006, reason: 'duplicate' } }],
    ],
    answer: 'The bookshop was paid twice: 27.45 euros.',
  }),
  defineAgent({
    id: 'convert-fuel',
    category: 'units',
    prompt:
      'I drive 310 miles. My car needs 6.5 liters for 100 kilometers, and a US gallon costs 3.60 US dollars. What does the fuel cost in Swiss francs? Use the tools for every conversion and every calculation, and give the answer with two digits behind the point.',
    open: () => ({
      tools: createConvertWorld().tools,
      check: ({ calls, text }) => {
        const used = new Set(calls.map(({ name }) => name))
        // 498.8966 km, 32.4283 l, 8.5667 gal, 30.84 dollars at 0.7619: roundings on the way move it
        // by a few cents.
        return listProblems(
          [used.has('convert_units'), 'convert_units was not used'],
          [used.has('get_exchange_rate'), 'get_exchange_rate was not used'],
          [mentionsNumber(text, 23.5, 0.06), 'the answer is not about 23.50'],
        )
      },
    }),
    steps: [
      [
        { name: 'convert_units', args: { value: 310, from: 'mile', to: 'kilometer' } },
        { name: 'get_exchange_rate', args: { from: 'USD', to: 'CHF' } },
      ],
      [{ name: 'calculate', args: { operation: 'multiply', left: 498.8966, right: 0.065 } }],
      [{ name: 'convert_units', args: { value: 32.4283, from: 'liter', to: 'us_gallon' } }],
      [{ name: 'calculate', args: { operation: 'multiply', left: 8.5667, right: 3.6 } }],
      [{ name: 'calculate', args: { operation: 'multiply', left: 30.8401, right: 0.7619 } }],
    ],
    answer: 'The fuel costs 23.50 Swiss francs.',
  }),
  defineAgent({
    id: 'home-evening',
    category: 'home',
    prompt:
      'Measure the temperature of all five rooms (kitchen, living_room, bedroom, office, hall). Heat every room that is colder than 18 degrees to 19.5 degrees, and set the light of the warmest room to 40 percent, warm. Touch nothing else.',
    open: () => {
      const world = createHomeWorld({
        kitchen: 18.2,
        living_room: 17.9,
        bedroom: 15,
        office: 22.4,
        hall: 18,
      })
      return {
        tools: world.tools,
        check: () =>
          listProblems(
            [
              isEqualJson(Object.fromEntries(world.heating), {
                living_room: 19.5,
                bedroom: 19.5,
              }) ||
                isEqualJson(Object.fromEntries(world.heating), {
                  bedroom: 19.5,
                  living_room: 19.5,
                }),
              `the heating is ${JSON.stringify(Object.fromEntries(world.heating))}`,
            ],
            [
              isEqualJson(Object.fromEntries(world.lights), {
                office: { brightness: 40, color: 'warm' },
              }),
              `the lights are ${JSON.stringify(Object.fromEntries(world.lights))}`,
            ],
            [world.scenes.size === 0, 'a scene was saved'],
          ),
      }
    },
    steps: [
      (['kitchen', 'living_room', 'bedroom', 'office', 'hall'] as const).map(room => ({
        name: 'read_thermometer',
        args: { room },
      })),
      [
        { name: 'set_heating', args: { room: 'living_room', celsius: 19.5 } },
        { name: 'set_heating', args: { room: 'bedroom', celsius: 19.5 } },
        { name: 'set_light', args: { room: 'office', brightness: 40, color: 'warm' } },
      ],
    ],
    answer: 'The living room and the bedroom are being heated, and the office has warm light.',
  }),
]
