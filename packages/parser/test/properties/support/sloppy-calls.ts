import fc, { type Arbitrary } from 'fast-check'
import type { Json } from './json.js'
import { toolOf } from './protocols.js'
import { hardStrings } from './strings.js'

/** How the pairs of a call are put together. */
export type PairSyntax = 'wire' | 'line'

export interface SloppyCall {
  readonly text: string
  /** What was meant. */
  readonly input: Json
}

const text = { type: 'string' }
export const modes = ['c', 'a b', 'x=y', 'very, very long'] as const

export const sloppyTool = toolOf('get', {
  type: 'object',
  properties: {
    city: text,
    note: text,
    days: { type: 'integer' },
    ratio: { type: ['number', 'null'] },
    flag: { type: 'boolean' },
    mode: { enum: modes },
    tags: { type: 'array', items: text },
    nums: { type: 'array', items: { type: 'integer' } },
    addr: {
      type: 'object',
      properties: { city: text, zip: text, geo: { $ref: '#/$defs/geo' } },
    },
    rows: {
      type: 'array',
      items: {
        type: 'object',
        properties: { sku: text, qty: { type: 'integer' }, gift: { type: 'boolean' } },
      },
    },
    any: {},
  },
  $defs: { geo: { type: 'object', properties: { lat: { type: 'number' } } } },
})

/** A value in one of the ways in which a model writes it. */
interface Written {
  readonly text: string
  readonly value: Json
  /** It has an end of its own, such as a closing quote: then a comma is never text. */
  readonly hasEnd: boolean
}

/** One or more pairs for a key of the tool. */
interface Argument {
  readonly key: string
  readonly value: Json
  readonly pairs: readonly { readonly key: string; readonly written: Written }[]
}

const bareTexts = [
  ...[
    'Paris',
    'New York',
    'x',
    '5',
    '007',
    'true',
    'None',
    'null',
    'a, b',
    'a,b',
    "it's",
    'say "hi"',
    'a<b',
    'a & b',
  ],
  ...[
    '1 + 1 = 2',
    'x=1',
    'other=1 more=2',
    'https://a.b/?days=3&flag=1',
    'mydays=3',
    'days',
    'days =3',
    'a.b',
    '@get',
    '@',
  ],
  ...[
    'C:\\new',
    '{"a":1}',
    '[x]',
    '#1',
    'a|b',
    '日本 é 😀',
    'ann@example.com',
    '</b>',
    '<b>x</b>',
    '-',
    '$5',
    '50%',
  ],
  ...['__proto__=1', 'a constructor=1', 'END', 'city=y'],
]

export function sloppyCalls(syntax: PairSyntax): Arbitrary<SloppyCall> {
  return fc
    .record({
      args: fc
        .tuple(...argumentsOf(syntax).map(argument => fc.option(argument, { freq: 2 })))
        .map(all => all.filter(each => each !== null)),
      order: fc.array(fc.nat(), { minLength: 16, maxLength: 16 }),
      gaps: fc.array(fc.constantFrom(...gapsOf[syntax]), { minLength: 16, maxLength: 16 }),
      signs: fc.array(fc.constantFrom('=', '=', '= '), { minLength: 16, maxLength: 16 }),
      frame: fc.constantFrom(...frames[syntax]),
    })
    .map(({ args, order, gaps, signs, frame }) => {
      const input = Object.fromEntries(args.map(({ key, value }) => [key, value]))
      const pairs = args
        .map((arg, i) => ({ arg, rank: order[i % order.length] ?? 0 }))
        .sort((left, right) => left.rank - right.rank)
        .flatMap(({ arg }) => arg.pairs)
      const body = pairs.reduce((all, { key, written }, i) => {
        const gap = i === 0 ? '' : (gaps[i % gaps.length] ?? ' ')
        // Behind a space the text of a pair would be one.
        const sign = /^\w+=/.test(written.text) ? '=' : signs[i % signs.length]
        return `${all}${gap}${key}${sign}${written.text}`
      }, '')
      const hasBareEnd = pairs.at(-1)?.written.hasEnd === false
      return { text: frame.write(body, hasBareEnd), input }
    })
}

const gapsOf: Readonly<Record<PairSyntax, readonly string[]>> = {
  wire: [' ', ', ', ',', ' , ', '\n', '\n  '],
  line: [' ', '  ', '\t', ', ', '\n'],
}

interface Frame {
  readonly write: (body: string, hasBareEnd: boolean) => string
}

const frames: Readonly<Record<PairSyntax, readonly Frame[]>> = {
  wire: [
    { write: body => `<call>get ${body}</call>` },
    { write: body => `<call>\nget\n${body}\n</call>` },
    { write: (body, isBare) => `<call> get ${body}${isBare ? '' : ','}</call>` },
    { write: body => `<call>get(${body})</call>` },
    { write: body => `<call>get ( ${body} ) </call>` },
    // The text ends without the close tag. Behind lines, and behind a tag that closes nothing, that
    // is a doubt.
    {
      write: body => (/\n|= ?<\/b>$/.test(body) ? `<call>get ${body}</call>` : `<call>get ${body}`),
    },
    { write: body => (body.includes('\n') ? `<call>get(${body})</call>` : `<call>get(${body})`) },
  ],
  line: [
    { write: body => `@get ${body}` },
    { write: body => `  @get ${body}\n` },
    { write: body => `@get(${body})` },
    { write: body => `@get ( ${body} )\n` },
  ],
}

const bare = (value: Json, spelling = String(value)): Written => ({
  text: spelling,
  value,
  hasEnd: false,
})
const ended = (value: Json, spelling: string): Written => ({ text: spelling, value, hasEnd: true })
const ofAny = <T>(...of: readonly T[]) => fc.constantFrom(...of)

function argumentsOf(syntax: PairSyntax): Arbitrary<Argument>[] {
  const one = (key: string, written: Arbitrary<Written>): Arbitrary<Argument> =>
    written.map(each => ({ key, value: each.value, pairs: [{ key, written: each }] }))
  const texts = textsOf(syntax)
  const integers = fc
    .integer()
    .chain(number =>
      ofAny(bare(number), ended(number, `"${number}"`), ended(number, `'${number}'`)),
    )
  return [
    one('city', texts),
    one('note', texts),
    one('days', integers),
    one(
      'ratio',
      fc.oneof(
        ofAny(bare(null), bare(null, 'None'), ended(null, '"null"'), ended(null, "'None'")),
        ofAny(
          bare(0.5),
          bare(0.5, '.5'),
          bare(7, '+7'),
          bare(-1.25),
          ended(0.5, '"0.5"'),
          bare(1e21, '1e21'),
        ),
      ),
    ),
    one(
      'flag',
      fc.boolean().chain(flag => {
        const word = String(flag)
        const python = flag ? 'True' : 'False'
        return ofAny(
          bare(flag),
          bare(flag, python),
          bare(flag, python.toUpperCase()),
          ended(flag, `"${word}"`),
        )
      }),
    ),
    one(
      'mode',
      ofAny(...modes).chain(mode =>
        ofAny(bare(mode), ended(mode, `"${mode}"`), ended(mode, `'${mode}'`)),
      ),
    ),
    one('tags', listsOf(syntax, ofAny('a', 'b c', 'd-e', 'Paris', '日本'), JSON.stringify)),
    one('nums', listsOf(syntax, fc.integer(), String)),
    addresses(texts),
    one('rows', fc.oneof(...(syntax === 'line' ? [tables] : []), rowsAsJson)),
    one(
      'any',
      ofAny(
        bare(5),
        bare(null),
        bare(true),
        bare('a b'),
        ended('5', '"5"'),
        bare([1, 'x'], '[1,"x"]'),
      ),
    ),
  ]
}

/** Any text in quotes, plain text without, and in a line any text between two words. */
function textsOf(syntax: PairSyntax): Arbitrary<Written> {
  const strings = hardStrings([
    ' city=',
    ' days=3',
    ',flag=',
    '</call>',
    '<call>',
    '\n@get',
    '<<END',
    '\nEND',
    '&#10;',
    ')',
  ])
  const quoted = strings.map(value => {
    const json = JSON.stringify(value)
    // Between tags this alone is a reference.
    return ended(value, syntax === 'wire' ? json.replaceAll('&#10;', '\\u0026#10;') : json)
  })
  const single = strings
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what needs an escape
    .map(value => value.replace(/['\\\u0000-\u001f]|&#10;/g, '_'))
    .map(value => ended(value, `'${value}'`))
  const plain = ofAny(...bareTexts).map(value => bare(value))
  return fc.oneof(plain, plain, quoted, single, ...(syntax === 'line' ? [heredocs(strings)] : []))
}

function heredocs(strings: Arbitrary<string>): Arbitrary<Written> {
  const lines = fc.oneof(
    ofAny('', ' END', 'END of it', 'ENDING', 'EN', 'EOF', '@get', 'city=x', '"', '<<END', 'x'),
    strings,
  )
  return fc
    .tuple(fc.array(lines, { maxLength: 4 }), ofAny('END', 'EOF', 'X_1'))
    .map(([all, word]) => {
      const value = all.join('\n').replace(/\r+/g, '')
      const isTaken = value.split('\n').some(line => new RegExp(`^${word}(?:[\\s,)]|$)`).test(line))
      const free = isTaken ? 'FREE' : word
      return bare(value, `<<${free}\n${value}\n${free}`)
    })
}

function listsOf<T extends Json>(
  syntax: PairSyntax,
  items: Arbitrary<T>,
  quote: (item: T) => string,
): Arbitrary<Written> {
  return fc
    .array(items, { minLength: 1, maxLength: 4 })
    .chain(list =>
      ofAny(
        bare(list, list.join(',')),
        bare(list, list.join(', ')),
        bare(list, list.map(quote).join(', ')),
        ended(list, JSON.stringify(list)),
        ended(list, `[${list.join(', ')}]`),
        ended(list, `[${list.map(quote).join(', ')},]`),
        ...(syntax === 'line' ? [bare(list, `<<LIST\n${list.join('\n')}\nLIST`)] : []),
      ),
    )
}

/** As JSON, or under dotted keys. */
function addresses(texts: Arbitrary<Written>): Arbitrary<Argument> {
  return fc.tuple(texts, texts, fc.boolean()).map(([city, zip, isDotted]) => {
    const value = { city: city.value, zip: zip.value, geo: { lat: 1.5 } }
    const pairs = isDotted
      ? [
          { key: 'addr.city', written: city },
          { key: 'addr.geo.lat', written: bare(1.5) },
          { key: 'addr.zip', written: zip },
        ]
      : [{ key: 'addr', written: ended(value, JSON.stringify(value)) }]
    return { key: 'addr', value, pairs }
  })
}

const cellTexts = fc.oneof(
  ofAny(
    'A-1',
    'a b',
    '007',
    'null',
    'say "hi"',
    "it's",
    'END',
    'x=1',
    '{}',
    '[a]',
    'qty',
    '日本',
  ).map(value => bare(value)),
  hardStrings(['|', '\n', '\nEND\n', 'END', '"', '|1']).map(value =>
    ended(value, JSON.stringify(value)),
  ),
)
const rowCells = fc
  .record({
    sku: cellTexts,
    qty: fc.option(ofAny(bare(5), ended(5, '"5"'), bare(-3))),
    gift: fc.option(ofAny(bare(true), bare(false, 'False'))),
  })
  .map(({ sku, qty, gift }) => ({ sku, ...(qty ? { qty } : {}), ...(gift ? { gift } : {}) }))

const rowsOf = (rows: readonly Readonly<Record<string, Written>>[]): Json =>
  rows.map(row => Object.fromEntries(Object.entries(row).map(([key, { value }]) => [key, value])))

const rowsAsJson = fc
  .array(rowCells, { maxLength: 3 })
  .map(rows => ended(rowsOf(rows), JSON.stringify(rowsOf(rows))))

const tables = fc
  .tuple(
    fc.array(rowCells, { maxLength: 4 }),
    fc.shuffledSubarray(['sku', 'qty', 'gift'], { minLength: 3 }),
    ofAny('|', ' | '),
  )
  .map(([rows, keys, bar]) => {
    const lines = rows.map((row: Readonly<Record<string, Written>>) =>
      keys.map(key => row[key]?.text ?? '').join(bar),
    )
    return bare(rowsOf(rows), `<<TABLE\n${[keys.join(bar), ...lines].join('\n')}\nTABLE`)
  })
