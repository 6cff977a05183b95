import {
  anyOf,
  choice,
  constant,
  flag,
  integer,
  list,
  nullable,
  number,
  object,
  record,
  text,
  tool,
} from '../schema.js'

const address = object(
  {
    name: text(),
    street: text(),
    postal_code: text(),
    city: text(),
    country: text('ISO 3166 code of two letters.'),
  },
  { state: text(), phone: nullable('string') },
)

const payment = anyOf(
  [
    object({ method: constant('card'), card_id: text() }, { installments: integer() }),
    object({ method: constant('invoice'), vat_id: text(), due_days: integer() }),
    object({ method: constant('voucher'), codes: list(text()) }),
  ],
  'How the order is paid.',
)

const trigger = anyOf(
  [
    object({ type: constant('time'), at: text('HH:MM.') }, { weekdays: list(text()) }),
    object({
      type: constant('sensor'),
      sensor: text(),
      above: nullable('number'),
      below: nullable('number'),
    }),
  ],
  'What starts the automation.',
)

/** A shop and a home. */
export const livingTools = [
  tool(
    'search_products',
    'Searches the shop and returns matching products with price and stock.',
    object(
      { query: text('What the customer is looking for.') },
      {
        category: text('Category slug.'),
        min_price: number(),
        max_price: number(),
        in_stock: flag('Only what can be sent today.'),
        sort: choice(['relevance', 'price_asc', 'price_desc', 'rating', 'newest']),
        page: integer('From 1.'),
      },
    ),
  ),
  tool(
    'get_order',
    'Returns an order with its items and tracking.',
    object({ order_id: text('Such as A-104233.') }),
  ),
  tool(
    'place_order',
    'Places an order for the signed-in customer. Ask for confirmation first.',
    object(
      {
        items: list(
          object(
            { sku: text(), quantity: integer() },
            { options: record(text(), 'Chosen variants, such as size.') },
          ),
        ),
        shipping_address: address,
        payment,
      },
      {
        billing_address: address,
        gift_message: nullable('string', 'Printed on a card; null for none.'),
      },
    ),
  ),
  tool(
    'adjust_stock',
    'Corrects the stock of articles after a count or a delivery.',
    object({
      reason: choice(['count', 'delivery', 'damage', 'return']),
      changes: list(
        object({
          sku: text('Article number.'),
          warehouse: text('Code of the warehouse.'),
          delta: integer('Pieces to add; negative to remove.'),
        }),
      ),
    }),
  ),
  tool('list_devices', 'Lists the devices of the home with their rooms and states.', object({})),
  tool(
    'set_light',
    'Switches a light and sets its brightness and colour.',
    object(
      { device: text('Id of the light.'), on: flag() },
      {
        brightness: integer('Percent, from 1 to 100.'),
        color: text('Name or #rrggbb.'),
        transition_seconds: number('How long the change takes.'),
      },
    ),
  ),
  tool(
    'set_thermostat',
    'Sets the target temperature of a room.',
    object(
      { room: text(), target_celsius: number(), mode: choice(['heat', 'cool', 'auto', 'off']) },
      {
        until: nullable(
          'string',
          'Local time at which the schedule takes over again; null to keep it.',
        ),
      },
    ),
  ),
  tool(
    'create_automation',
    'Creates an automation of the home: what starts it, on which conditions, and what it does.',
    object(
      {
        name: text(),
        trigger,
        actions: list(
          object(
            { device: text(), command: text() },
            { parameters: record(anyOf([text(), number(), flag()])), delay_seconds: integer() },
          ),
          'Run one after the other.',
        ),
      },
      {
        conditions: object(
          { match: choice(['all', 'any']) },
          {
            rules: list(
              object({
                subject: text(),
                operator: choice(['is', 'is_not', 'gt', 'lt']),
                value: text(),
              }),
            ),
          },
        ),
        enabled: flag('Default: true.'),
      },
    ),
  ),
]
