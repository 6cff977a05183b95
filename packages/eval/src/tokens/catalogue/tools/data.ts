import {
  anyOf,
  choice,
  flag,
  integer,
  list,
  number,
  object,
  record,
  text,
  tool,
} from '../schema.js'

const scalar = anyOf([text(), number(), flag(), { type: 'null' }])

/** The tools of an analyst's assistant. */
export const dataTools = [
  tool(
    'query_database',
    'Runs one SQL statement on the reporting database (PostgreSQL 16) and returns the rows.',
    object(
      { sql: text('The statement. Use $1, $2, … for parameters.') },
      {
        params: list(scalar, 'Values for the parameters, in order.'),
        max_rows: integer('Default: 500.'),
        explain: flag('Return the query plan instead of the rows.'),
      },
    ),
  ),
  tool(
    'insert_rows',
    'Inserts rows into a table. Columns that a row does not name get their default.',
    object({
      table: text('Table name with its schema, such as sales.leads.'),
      rows: list(record(scalar), 'One object per row: column name to value.'),
    }),
  ),
  tool(
    'create_chart',
    'Draws a chart and returns a link to the image.',
    object(
      {
        kind: choice(['line', 'bar', 'area', 'scatter', 'pie']),
        title: text('Title above the chart.'),
        series: list(
          object({
            name: text('Legend entry.'),
            points: list(object({ x: text(), y: number() }), 'In drawing order.'),
          }),
        ),
      },
      {
        y_axis: object(
          { label: text() },
          { min: number(), max: number(), log_scale: flag() },
          'The vertical axis.',
        ),
        stacked: flag('Stack the series. Only for bar and area.'),
      },
    ),
  ),
  tool(
    'call_api',
    'Sends an HTTP request to an internal service and returns status, headers and body.',
    object(
      { method: choice(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']), url: text('Absolute URL.') },
      {
        headers: record(text(), 'Request headers.'),
        body: text('Request body as it goes over the wire; for JSON services a JSON text.'),
        timeout_seconds: number('Default: 30.'),
      },
    ),
  ),
  tool(
    'record_expenses',
    'Books expenses to the travel account of the signed-in employee.',
    object({
      trip: text('Trip code, such as TR-2031.'),
      expenses: list(
        object({
          date: text('ISO date of the receipt.'),
          merchant: text('Name on the receipt.'),
          category: choice(['meal', 'hotel', 'train', 'flight', 'taxi', 'other']),
          amount: number('Amount with tax.'),
          currency: text('ISO 4217 code.'),
          private: flag('Paid by the employee and to be paid back.'),
        }),
      ),
    }),
  ),
]
