import { writeCasesOf } from '../case.js'

const write = writeCasesOf('flat')

/** Arguments without nesting, like most calls of most applications. */
export const flatCases = [
  write('no arguments', ['get_workspace_state', {}]),
  write('no arguments, another tool', ['list_devices', {}]),
  write('one short string', ['get_order', { order_id: 'A-104233' }]),
  write('one path', ['read_file', { path: 'packages/server/src/routes/invoices.ts' }]),
  write('path and line range', [
    'read_file',
    { path: 'src/billing/tax.py', start_line: 120, end_line: 188 },
  ]),
  write('one query', ['search_products', { query: 'waterproof hiking boots' }]),
  write('many optionals', [
    'search_products',
    {
      query: 'espresso machine',
      category: 'kitchen-appliances',
      min_price: 149.5,
      max_price: 600,
      in_stock: true,
      sort: 'rating',
      page: 2,
    },
  ]),
  write('boolean only beside an id', ['set_light', { device: 'light.hallway', on: false }]),
  write('float, integer and colour', [
    'set_light',
    {
      device: 'light.desk_left',
      on: true,
      brightness: 35,
      color: '#ffb347',
      transition_seconds: 2.5,
    },
  ]),
  write('negative float and enum', [
    'set_thermostat',
    { room: 'wine cellar', target_celsius: -1.5, mode: 'cool' },
  ]),
  write('null for no end', [
    'set_thermostat',
    { room: 'nursery', target_celsius: 20.5, mode: 'heat', until: null },
  ]),
  write('number and enum', ['update_ticket', { ticket_id: 88213, status: 'solved' }]),
  write('nullable with a value and without', [
    'update_ticket',
    { ticket_id: 90417, status: 'pending', assignee: null, satisfaction: 4.5 },
  ]),
  write('short command', [
    'run_command',
    { command: 'npm test -- --run src/cart', timeout_seconds: 300 },
  ]),
  write('string that looks like a number', ['get_order', { order_id: '0045120' }]),
  write(
    'three parallel reads',
    ['read_file', { path: 'src/app.ts' }],
    ['read_file', { path: 'src/router.ts' }],
    ['read_file', { path: 'test/router.test.ts', start_line: 1, end_line: 60 }],
  ),
  write(
    'parallel calls of different tools',
    ['set_light', { device: 'light.living_room', on: true, brightness: 20 }],
    ['set_thermostat', { room: 'living room', target_celsius: 21, mode: 'auto' }],
    ['list_devices', {}],
  ),
]
