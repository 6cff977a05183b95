import { writeCasesOf } from '../case.js'

const write = writeCasesOf('lists')

/** Lists of values, and tables: lists of objects with the same keys. */
export const listCases = [
  write('list of one', [
    'find_free_slots',
    {
      people: ['nora.weiss@example.com'],
      duration_minutes: 30,
      from: '2026-03-09',
      to: '2026-03-11',
    },
  ]),
  write('list of five', [
    'find_free_slots',
    {
      people: [
        'ana@example.com',
        'bo@example.com',
        'chidi@example.com',
        'dana@example.com',
        'emil@example.com',
      ],
      duration_minutes: 90,
      from: '2026-04-20',
      to: '2026-04-30',
      working_hours_only: true,
      time_zone: 'Europe/Lisbon',
    },
  ]),
  write('list of globs', [
    'search_code',
    {
      pattern: 'useLegacyAuth',
      include: ['src/**/*.ts', 'src/**/*.tsx', '!src/generated/**'],
      max_results: 200,
    },
  ]),
  write('list of integers', [
    'create_event',
    {
      title: 'Dentist',
      start: '2026-02-17T08:40:00+01:00',
      end: '2026-02-17T09:20:00+01:00',
      reminders_minutes: [1440, 120, 30],
    },
  ]),
  write('list of mixed values', [
    'query_database',
    {
      sql: 'SELECT id, total FROM orders WHERE country = $1 AND total > $2 AND is_paid = $3 AND coupon IS NOT DISTINCT FROM $4',
      params: ['DE', 250.75, true, null],
      max_rows: 20,
    },
  ]),
  write('empty list', ['query_database', { sql: 'SELECT count(*) FROM sessions', params: [] }]),
  write('table of three rows', [
    'adjust_stock',
    {
      reason: 'delivery',
      changes: [
        { sku: 'BK-2201', warehouse: 'HAM', delta: 40 },
        { sku: 'BK-2202', warehouse: 'HAM', delta: 25 },
        { sku: 'BK-2210', warehouse: 'LYS', delta: 120 },
      ],
    },
  ]),
  write('table of twelve rows', [
    'adjust_stock',
    {
      reason: 'count',
      changes: [
        { sku: 'TEE-S-BLK', warehouse: 'RTM', delta: -3 },
        { sku: 'TEE-M-BLK', warehouse: 'RTM', delta: 1 },
        { sku: 'TEE-L-BLK', warehouse: 'RTM', delta: -12 },
        { sku: 'TEE-XL-BLK', warehouse: 'RTM', delta: 0 },
        { sku: 'TEE-S-WHT', warehouse: 'RTM', delta: 7 },
        { sku: 'TEE-M-WHT', warehouse: 'RTM', delta: -1 },
        { sku: 'TEE-L-WHT', warehouse: 'RTM', delta: -2 },
        { sku: 'TEE-XL-WHT', warehouse: 'RTM', delta: 4 },
        { sku: 'CAP-NAVY', warehouse: 'GOT', delta: -20 },
        { sku: 'CAP-OLIVE', warehouse: 'GOT', delta: 15 },
        { sku: 'MUG-350', warehouse: 'GOT', delta: -6 },
        { sku: 'MUG-500', warehouse: 'GOT', delta: 2 },
      ],
    },
  ]),
  write('table of expenses', [
    'record_expenses',
    {
      trip: 'TR-2031',
      expenses: [
        {
          date: '2026-01-12',
          merchant: 'Deutsche Bahn',
          category: 'train',
          amount: 89.9,
          currency: 'EUR',
          private: false,
        },
        {
          date: '2026-01-12',
          merchant: 'Hotel Astoria',
          category: 'hotel',
          amount: 142,
          currency: 'EUR',
          private: false,
        },
        {
          date: '2026-01-13',
          merchant: 'Café Müller',
          category: 'meal',
          amount: 17.35,
          currency: 'EUR',
          private: true,
        },
        {
          date: '2026-01-13',
          merchant: 'Taxi 4711',
          category: 'taxi',
          amount: 23.8,
          currency: 'EUR',
          private: true,
        },
        {
          date: '2026-01-14',
          merchant: 'SBB CFF FFS',
          category: 'train',
          amount: 58,
          currency: 'CHF',
          private: false,
        },
        {
          date: '2026-01-14',
          merchant: 'Co-op, Basel',
          category: 'meal',
          amount: 9.2,
          currency: 'CHF',
          private: true,
        },
      ],
    },
  ]),
  write('rows with columns of their own', [
    'insert_rows',
    {
      table: 'sales.leads',
      rows: [
        {
          company: 'Brandt & Söhne',
          contact: 'Ilse Brandt',
          employees: 45,
          is_customer: false,
          score: 0.72,
          note: null,
        },
        {
          company: 'Nordlys AS',
          contact: 'Per Lund',
          employees: 12,
          is_customer: true,
          score: 0.91,
          note: 'met in Oslo',
        },
        {
          company: 'Ferreira Lda.',
          contact: 'Rui Ferreira',
          employees: 230,
          is_customer: false,
          score: 0.4,
          note: null,
        },
        {
          company: '株式会社青空',
          contact: '田中 愛',
          employees: 88,
          is_customer: true,
          score: 0.83,
          note: 'reply in English',
        },
      ],
    },
  ]),
  write('attendees with optional fields', [
    'create_event',
    {
      title: 'Quarterly planning',
      start: '2026-03-30T09:00:00+02:00',
      end: '2026-03-30T12:00:00+02:00',
      attendees: [
        { email: 'lena.hart@example.com', name: 'Lena Hart' },
        { email: 'omar.said@example.com', name: 'Omar Said', optional: true },
        { email: 'purchasing@example.com' },
        { email: 'yuki.mori@example.com', name: 'Yuki Mori', optional: false },
      ],
      location: 'Room Galileo, 3rd floor',
      reminders_minutes: [15],
    },
  ]),
  write('edits in one file', [
    'edit_file',
    {
      path: 'src/config/limits.ts',
      edits: [
        {
          old_text: 'export const MAX_UPLOAD_MB = 10',
          new_text: 'export const MAX_UPLOAD_MB = 25',
        },
        { old_text: 'maxUploadMb', new_text: 'maxUploadMegabytes', replace_all: true },
        {
          old_text: "import { kb } from './units'",
          new_text: "import { kb, mb } from './units.js'",
        },
      ],
    },
  ]),
  write(
    'tables in parallel',
    [
      'adjust_stock',
      {
        reason: 'return',
        changes: [
          { sku: 'LAMP-07', warehouse: 'VIE', delta: 1 },
          { sku: 'LAMP-09', warehouse: 'VIE', delta: 2 },
          { sku: 'SHADE-3', warehouse: 'VIE', delta: 2 },
        ],
      },
    ],
    [
      'update_ticket',
      { ticket_id: 77120, status: 'closed', internal_note: 'Goods are back in stock.' },
    ],
  ),
]
