import { writeCasesOf } from '../case.js'

const write = writeCasesOf('nested')

/** Objects in objects, records and unions. */
export const nestedCases = [
  write('record of strings', [
    'run_command',
    {
      command: 'pytest -q tests/api',
      cwd: 'services/api',
      env: { DATABASE_URL: 'postgres://test@localhost:5433/api', LOG_LEVEL: 'debug', TZ: 'UTC' },
    },
  ]),
  write('request headers', [
    'call_api',
    {
      method: 'GET',
      url: 'https://crm.internal.example/v2/accounts?limit=50&cursor=eyJpZCI6NDJ9',
      headers: {
        Accept: 'application/json',
        'X-Request-Id': '7f3a-19c2',
        'If-None-Match': 'W/"5d8c72"',
      },
      timeout_seconds: 12.5,
    },
  ]),
  write('ticket with a customer', [
    'create_ticket',
    {
      subject: 'Export to CSV stops at 10,000 rows',
      description:
        'The customer exports all contacts and gets only the first 10,000. No error is shown.',
      priority: 'high',
      customer: {
        id: 55120,
        name: 'Marta Kowalska',
        email: 'marta@kowalska.example',
        plan: 'business',
      },
      tags: ['export', 'csv', 'data-loss'],
      due_at: '2026-02-06T17:00:00Z',
    },
  ]),
  write('ticket with null and custom fields', [
    'create_ticket',
    {
      subject: 'Cannot sign in after changing the phone',
      description: 'Lost the authenticator app. Identity was checked by phone.',
      priority: 'urgent',
      customer: { id: 10033, name: 'Jean-Noël Lefèvre', email: 'jn.lefevre@example.org' },
      due_at: null,
      custom_fields: { region: 'EMEA', channel: 'phone', product_area: 'identity' },
    },
  ]),
  write('order paid by card', [
    'place_order',
    {
      items: [
        { sku: 'JKT-118', quantity: 1, options: { size: 'M', color: 'moss' } },
        { sku: 'SOCK-3P', quantity: 2, options: { size: '42-44' } },
      ],
      shipping_address: {
        name: 'Aoife Byrne',
        street: '14 Harbour Row',
        postal_code: 'P24 X584',
        city: 'Cobh',
        country: 'IE',
        phone: '+353 21 555 0134',
      },
      payment: { method: 'card', card_id: 'card_8821', installments: 3 },
      gift_message: null,
    },
  ]),
  write('order by invoice with two addresses', [
    'place_order',
    {
      items: [{ sku: 'DESK-160-OAK', quantity: 12 }],
      shipping_address: {
        name: 'Studio Vento, attn. reception',
        street: 'Via Tortona 31',
        postal_code: '20144',
        city: 'Milano',
        country: 'IT',
        state: 'MI',
        phone: null,
      },
      payment: { method: 'invoice', vat_id: 'IT01234567890', due_days: 30 },
      billing_address: {
        name: 'Vento Holding S.p.A.',
        street: 'Corso Francia 8',
        postal_code: '10138',
        city: 'Torino',
        country: 'IT',
      },
    },
  ]),
  write('order with vouchers', [
    'place_order',
    {
      items: [{ sku: 'BOOK-9781', quantity: 1 }],
      shipping_address: {
        name: '李小龙',
        street: '人民路 88 号',
        postal_code: '200010',
        city: '上海',
        country: 'CN',
      },
      payment: { method: 'voucher', codes: ['SPRING-26', 'WELCOME5'] },
      gift_message: '生日快乐！🎂 “Enjoy the book” — 妈妈',
    },
  ]),
  write('weekly event', [
    'create_event',
    {
      title: 'Standup',
      start: '2026-01-05T09:30:00-05:00',
      end: '2026-01-05T09:45:00-05:00',
      attendees: [{ email: 'team-core@example.com', name: 'Core team' }],
      recurrence: {
        frequency: 'weekly',
        interval: 1,
        weekdays: ['mo', 'we', 'fr'],
        until: '2026-06-30',
      },
    },
  ]),
  write('chart with one series', [
    'create_chart',
    {
      kind: 'line',
      title: 'Active users per month',
      series: [
        {
          name: '2025',
          points: [
            { x: 'Jan', y: 10412 },
            { x: 'Feb', y: 10988 },
            { x: 'Mar', y: 12140 },
            { x: 'Apr', y: 11875 },
            { x: 'May', y: 13302 },
            { x: 'Jun', y: 14019 },
          ],
        },
      ],
      y_axis: { label: 'users', min: 0 },
    },
  ]),
  write('chart with two series and all options', [
    'create_chart',
    {
      kind: 'bar',
      title: 'Revenue & cost, k€',
      series: [
        {
          name: 'Revenue',
          points: [
            { x: 'Q1', y: 412.5 },
            { x: 'Q2', y: 398.1 },
            { x: 'Q3', y: 455 },
          ],
        },
        {
          name: 'Cost',
          points: [
            { x: 'Q1', y: 301.2 },
            { x: 'Q2', y: 310 },
            { x: 'Q3', y: 322.75 },
          ],
        },
      ],
      y_axis: { label: 'k€', min: 0, max: 500, log_scale: false },
      stacked: false,
    },
  ]),
  write('automation by time', [
    'create_automation',
    {
      name: 'Good night',
      trigger: { type: 'time', at: '23:15', weekdays: ['mo', 'tu', 'we', 'th', 'su'] },
      actions: [
        { device: 'lock.front_door', command: 'lock' },
        { device: 'light.all', command: 'turn_off', parameters: { transition: 5 } },
        {
          device: 'climate.bedroom',
          command: 'set',
          parameters: { celsius: 17.5, boost: false },
          delay_seconds: 60,
        },
      ],
    },
  ]),
  write('automation by sensor with conditions', [
    'create_automation',
    {
      name: 'Air the study',
      trigger: { type: 'sensor', sensor: 'co2.study', above: 1000, below: null },
      actions: [
        { device: 'window.study', command: 'open', parameters: { percent: 30 } },
        {
          device: 'speaker.study',
          command: 'say',
          parameters: { text: 'Fresh air is coming 🌬️', volume: 0.4 },
        },
      ],
      conditions: {
        match: 'all',
        rules: [
          { subject: 'weather', operator: 'is_not', value: 'rain' },
          { subject: 'outdoor_celsius', operator: 'gt', value: '4' },
        ],
      },
      enabled: true,
    },
  ]),
]
