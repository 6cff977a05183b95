import { describe, expect, it } from 'vitest'
import { isDamagedMark, isLikeKey } from '../../src/engine/pairs/misnamed-key.js'
import { engineProtocol, toolOf } from '../properties/support/protocols.js'
import { chunksOf } from '../support/chunks.js'
import { readEvents } from '../support/read-answer.js'

const text = { type: 'string' }
const tools = [
  toolOf('f', {
    type: 'object',
    properties: {
      city: text,
      units: { enum: ['metric', 'imperial'] },
      days: { type: 'integer' },
      dry_run: { type: 'boolean' },
      tags: { type: 'array', items: text },
      place: { type: 'object', properties: { name: text } },
      limit: { type: ['integer', 'null'] },
      stops: { type: 'array', items: { type: 'object', properties: { name: text, zip: text } } },
    },
  }),
  toolOf('get_time', { type: 'object', properties: {} }),
]

/** The codes of what is recorded, in order, whole and character by character. */
function codesOf(syntax: string, answer: string): string {
  const protocol = engineProtocol(syntax)
  const [whole, single] = [[answer], chunksOf(answer, 1)].map(chunks =>
    readEvents({ protocol, tools, chunks, options: { tolerance: 'eager' } })
      .flatMap(event => (event.type === 'call-end' ? event.repairs : []))
      .map(({ code, path }) => (path ? `${code} in ${path}` : code))
      .join(', '),
  )
  expect(single).toBe(whole)
  return whole ?? ''
}

describe('pairs in a spelling of other notations', () => {
  // biome-ignore format: a table
  it.each([
    // syntax   call                                  what is recorded
    ['wire',    '<call>f dry_run=true</call>',        ''],
    ['wire',    '<call>f dry_run=True</call>',        'python-word in dry_run'],
    ['wire',    '<call>f dry_run=FALSE days=3</call>', 'python-word in dry_run'],
    ['wire',    '<call>f limit=None</call>',          'python-word in limit'],
    ['wire',    '<call>f limit=null</call>',          ''],
    ['wire',    '<call>f city=True</call>',           ''],
    ['wire',    '<call>f city=None</call>',           ''],
    ['line',    '@f dry_run=True days=3',             'python-word in dry_run'],
    ['line',    '@f city=True North days=3',          ''],
    ['wire',    '<call>f city = Rome</call>',         'extra-space, extra-space in city'],
    ['wire',    '<call>f city= Rome days=3</call>',   'extra-space in city'],
    ['wire',    '<call>f city="Rome" days =3</call>', 'extra-space in city'],
    ['line',    '@f city= Rome days=3',               'extra-space in city'],
    ['wire',    '<call>f city: Rome</call>',          'other-notation'],
    ['wire',    '<call>f(city = "Rome")</call>',      'other-notation'],
  ])('%s: %s: %s', (syntax, answer, recorded) => {
    expect(codesOf(syntax, answer)).toBe(recorded)
  })
})

describe('a table', () => {
  // biome-ignore format: a table
  it.each([
    // lines                                          what is recorded
    ['name|zip\na|1\nb|2',                            ''],
    ['name|zip\na|\n|2',                              ''],
    ['name|zip\n---|---\na|1',                        'table-frame in stops'],
    ['|name|zip|\n|a|1|',                             'table-frame in stops'],
    ['| name | zip |\n|---|---|\n| a | 1 |',          'table-frame in stops'],
    ['name|zip|\na|1|',                               'table-frame in stops'],
    ['name|zip\na|1|',                                'table-frame in stops'],
  ])('%j: %s', (lines, recorded) => {
    expect(codesOf('line', `@f stops=<<END\n${lines}\nEND`)).toBe(recorded)
    expect(codesOf('line', `@f stops=<<END\n${lines}\nEND days=3`)).toBe(recorded)
  })
})

describe('a key that is misspelt, after a text without quotes', () => {
  // biome-ignore format: a table
  it.each([
    // pairs in a line                    what is recorded
    ['city=New York unit=metric',         'key-in-value in city'],
    ['city=New York uints=metric',        'key-in-value in city'],
    ['city=New York uniits=metric',       'key-in-value in city'],
    ['city=New York Units=metric',        'key-in-value in city'],
    ['city=New York dry-run=true',        'key-in-value in city'],
    ['city=New York dryRun=true',         'key-in-value in city'],
    ['city=New York un its=metric',       'key-in-value in city'],
    ['city=New York un"its=metric',       'key-in-value in city'],
    ['city=New York "units=metric',       'key-in-value in city'],
    ['city=New York "units"=metric',      'key-in-value in city'],
    ['city=New York units,=metric',       'key-in-value in city'],
    ['city=New York units =metric',       'key-in-value in city'],
    ['city=New Yorkunits=metric',         'key-in-value in city'],
    ['city=New York unitsmetric',         'key-in-value in city'],
    ['city=New York dry_runtrue',         'key-in-value in city'],
    ['city=New York days4',               'key-in-value in city'],
    ['city=New York place{"name":"x"}',   'key-in-value in city'],
    ['city=Parisdays=3',                  'key-in-value in city'],
    ['city=Paris@get_time x=1',           'key-in-value in city'],
    ['tags=a, b uni,ts=metric',           'key-in-value in tags[0]'],
    ['days=3\nunit=metric',               'key-after-arguments in days'],
    ['city=New York un\nits=metric',      'key-in-value in city'],
    // a key that was given, another word, no word at all
    ['units=metric city=x unit=2',        ''],
    ['city=other=1 more=2',               ''],
    ['city=a constructor=1',              ''],
    ['city=x=1 y=2',                      ''],
    ['city=1 + 1 = 2',                    ''],
    ['city=days =3',                      ''],
    ['city=mydays=3',                     ''],
    ['city=see https://a.b/?days=3&x=1',  ''],
    ['city=how many days',                ''],
    ['city=for (let i = 0; i < n; i++)',  ''],
    ['city=make CC=gcc',                  ''],
    ['city=Paris\nDone = 3',              ''],
    ['city=x dys is one',                 ''],
  ])('%j in a line', (pairs, expected) => {
    expect(codesOf('line', `@f ${pairs}`)).toBe(expected)
  })

  // biome-ignore format: a table
  it.each([
    // pairs between tags                 what is recorded
    ['city=Austin unit=metric',           'key-in-value in city, bare-word in city'],
    ['city=Austin scale=metric',          'key-in-value in city, bare-word in city'],
    ['city=New York units',               'missing-value in city, bare-word in city'],
    ['city="Austin" scale=metric',        ''],
    ['days=3 scale=metric',               ''],
    // text that no pair begins in
    ['city=a scale=metric',               'bare-word in city'],
    ['city=x=1 scale=metric',             'bare-word in city'],
    ['city=New York scale=metric',        'bare-word in city'],
  ])('%j between tags', (pairs, expected) => {
    expect(codesOf('wire', `<call>f ${pairs}</call>`)).toBe(expected)
  })
})

describe('the edges of a value without quotes', () => {
  // biome-ignore format: a table
  it.each([
    // answer                                what is recorded
    ['<call>f city==Paris</call>',           'odd-word in city'],
    ['<call>f city=Paris"</call>',           'odd-word in city'],
    ["<call>f city=Paris'</call>",           'odd-word in city'],
    ['<call>f city=e"Paris" days=3</call>',  'odd-word in city'],
    ['<call>f city=<"Paris" days=3</call>',  'odd-word in city'],
    ['<call>f tags=i["a","b"]</call>',       'odd-word in tags[0]'],
    ['<call>f city=Lima/call>',              'markup-at-edge in city, missing-close'],
    ['<call>f city=Lima</cal>l',             'markup-at-edge in city, missing-close'],
    ['<call>f city=Lima<//call>',            'markup-at-edge in city, missing-close'],
    ['<call>f city=Lima<</call>',            'markup-at-edge in city'],
    ['<call>f city=Lima/<call>get_time',     'markup-at-edge in city, missing-close, missing-close'],
    ['<call>f city=Lima</call',              'missing-close'],
    ['<call>f city=15"</call>',              ''],
    ["<call>f city=it's</call>",             ''],
    ['<call>f city=say"hi"</call>',          ''],
    ['<call>f city=a<b</call>',              ''],
    ['<call>f city=</b></call>',             ''],
    ['<call>f city=<b>x</b></call>',         ''],
    ['<call>f city=/call</call>',            ''],
    ['<call>f tags=a,b]</call>',             'odd-word in tags'],   
    ['<call>f tags=a,b[0],c</call>',         ''],
    ['<call>f tags=*.{js,ts}</call>',        ''],
    ['<call>f city=a"b"</call>',             'odd-word in city'],
    ['@f city==Paris',                       'odd-word in city'],
    ['@f city=Lima@\nget_time',              'odd-word in city'],
    ['@f city=rent"',                        'odd-word in city'],
    ['@f city=<END\na\nEND',                 'markup-at-edge in city'],
    ['@f city=<<<END\na\nEND',               'markup-at-edge in city'],
    ['@f city=w<<END\na\nEND',               'markup-at-edge in city'],
    ['@f city=< <END\na\nEND',               'markup-at-edge in city'],
    ['@f city=the dogs\' bowls, the dogs\'', ''],
    ['@f city=e"x"',                         ''],
    ['@f city=a<b',                          ''],
    ['@f city=if (a<<MAX',                   ''],
    ['@f city=@',                            ''],
    ['@f city=ann@example.org',              ''],
    ['@f city=who said "a b"?',              ''],
  ])('%j', (answer, expected) => {
    expect(codesOf(answer.startsWith('@') ? 'line' : 'wire', answer)).toBe(expected)
  })
})

describe('quotes', () => {
  // biome-ignore format: a table
  it.each([
    // pairs between tags                 what is recorded
    ['city="New York" days=3',            ''],
    ["city='New York'",                   'single-quotes in city'],
    ["city='say \"hi\"'",                 ''],
    ['city="say "hi" to"',                'unescaped-quote in city'],
    ['city=""New York"',                  'doubtful-quote in city'],
    ['city="New York""',                  'doubtful-quote in city'],
    ['city="15" screen"',                 'doubtful-quote in city'],
    ["city='It's a 'test' now'",          'single-quotes in city, unescaped-quote in city'],
    ['city="New York "days=3',            'shifted-space in city, missing-space in city'],
    ['city="New York"days=3',             'missing-space in city'],
    ['city="""x"""',                      'other-notation in city'],
  ])('%s', (pairs, expected) => {
    expect(codesOf('wire', `<call>f ${pairs}</call>`)).toBe(expected)
  })
})

describe('what is not written as the format says', () => {
  // biome-ignore format: a table
  it.each([
    // answer                                         what is recorded
    ['<call>f city= days=3</call>',                   'missing-value in city'],
    ['<call>f days=</call>',                          'missing-value in days'],
    ['@f city=\n@get_time',                           'missing-value in city'],
    ['<call>f city=New York</call>',                  'bare-word in city'],
    ['<call>f city="Paris", days=3</call>',           'extra-comma in city'],
    ['@f city=Paris, days=3',                         'extra-comma in city'],
    ['<call>f city: "Paris" days: 3</call>',          'other-notation, other-notation in city'],
    ['<call>f city="Paris" "days"=3</call>',          'other-notation in city'],
    ['<call>f(city="Paris", days=3)</call>',          'other-notation'],
    ['@f(city=Paris',                                 'other-notation, missing-bracket'],
    ['<call>f {"city":"Paris"}</call>',               'other-notation'],
    ['<call>f({"city":"Paris"})</call>',              'other-notation, other-notation'],
    ['<call>f {"zone":"CET"}</call>',                 ''],
    ['<call>get_time {}</call>',                      ''],
    ['<call>{"name":"f","arguments":{}}</call>',      'other-notation'],
    ['<call>f city=<<END\nx\nEND</call>',             'other-notation in city'],
    ['@f city=<<END\nx\nEND',                         ''],
    ['@f city=Paris\nText',                           ''],
    // without a close tag
    ['<call>f city=Paris',                            'missing-close'],
    ['<call>f city="Paris" days=3\n<call>get_time',   'missing-close, missing-close'],
    ['<call>f city=New York',                         'bare-word in city, missing-close'],
    ['<call>f city=Paris I will look.',               'bare-word in city, text-after-value in city, missing-close'],
    ['<call>f city=Paris. I will look',               'bare-word in city, text-after-value in city, missing-close'],
    ['<call>f city=Paris and then I will look at it', 'bare-word in city, text-after-value in city, missing-close'],
  ])('%j', (answer, expected) => {
    expect(codesOf(answer.startsWith('@') ? 'line' : 'wire', answer)).toBe(expected)
  })

  it('is another notation in a format whose calls are JSON, if it is pairs', () => {
    expect(codesOf('compact_json', '<call>f city=Paris days=3</call>')).toBe('other-notation')
    expect(codesOf('compact_json', '<call>f {"city":"Paris"}</call>')).toBe('')
    expect(codesOf('compact_json', '<call>get_time</call>')).toBe('')
  })
})

describe('a word that is like a key', () => {
  // biome-ignore format: a table
  it.each([
    // word          key         is it like the key?
    ['units',        'units',    true],
    ['nits',         'units',    true],
    ['uunits',       'units',    true],
    ['nuits',        'units',    true],
    ['unixs',        'units',    true],
    ['UNITS',        'units',    true],
    ['dryrun',       'dry_run',  true],
    ['loc',          'location', true],
    ['locationName', 'location', true],
    ['max_days',     'days',     true],
    ['too',          'to',       true],
    ['lo',           'location', false],
    ['t',            'to',       false],
    ['more',         'mode',     false],
    ['scale',        'units',    false],
    ['?days',        'days',     true],
    ['a/?days',      'days',     false],
    ['',             'days',     false],
  ])('%j for %j: %s', (word, key, expected) => {
    expect(isLikeKey(word, key)).toBe(expected)
  })

  it('is not the mark itself, where marks are compared', () => {
    const damaged = ['</cal>', '<call>', '</calll>', '<c/all>', '</cell>']
    expect(damaged.filter(mark => !isDamagedMark(mark, '</call>'))).toEqual([])
    expect(['</call>', '</b>', '</tool>'].filter(mark => isDamagedMark(mark, '</call>'))).toEqual(
      [],
    )
  })
})
