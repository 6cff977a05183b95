import { renderSignature } from '@toolglot/parser'
import { describe, expect, test } from 'vitest'

type Json = Record<string, unknown>

const text = { type: 'string' }
const number = { type: 'number' }
const integer = { type: 'integer' }
const boolean = { type: 'boolean' }
const nothing = { type: 'null' }
const listOf = (items: unknown) => ({ type: 'array', items })
const objectOf = (
  properties: Json,
  required: readonly string[] = Object.keys(properties),
  more: Json = {},
) => ({
  type: 'object',
  properties,
  required,
  ...more,
})

/** The signature of a tool with a single, required parameter `a`, from that parameter on. */
function show(schema: unknown, more: Json = {}): string {
  const signature = renderSignature({
    name: 'f',
    inputSchema: objectOf({ a: schema }, ['a'], more),
  })
  expect(signature.startsWith('f a')).toBe(true)
  return signature.slice('f '.length)
}

describe('a parameter', () => {
  test.for([
    { what: 'a text', schema: text, shown: 'a' },
    { what: 'a number', schema: number, shown: 'a:num' },
    { what: 'an integer', schema: integer, shown: 'a:int' },
    { what: 'a boolean', schema: boolean, shown: 'a:bool' },
    { what: 'null', schema: nothing, shown: 'a:null' },
    { what: 'anything', schema: {}, shown: 'a:any' },
    { what: 'anything, as true', schema: true, shown: 'a:any' },
    {
      what: 'a text of a format',
      schema: { type: 'string', format: 'date-time' },
      shown: 'a:date-time',
    },
    { what: 'a choice', schema: { type: 'string', enum: ['low', 'high'] }, shown: 'a:low|high' },
    {
      what: 'a choice without a type',
      schema: { enum: ['low', 2, true, null] },
      shown: 'a:low|2|true|null',
    },
    { what: 'a literal', schema: { const: 'on' }, shown: 'a:on' },
    { what: 'a literal number', schema: { const: 5 }, shown: 'a:5' },
    { what: 'a literal object', schema: { const: { b: 1 } }, shown: 'a:{"b":1}' },
    { what: 'a list', schema: listOf(text), shown: 'a:str[]' },
    { what: 'a list of numbers', schema: listOf(integer), shown: 'a:int[]' },
    { what: 'a list of choices', schema: listOf({ enum: ['x', 'y'] }), shown: 'a:(x|y)[]' },
    {
      what: 'a list of one or the other',
      schema: listOf({ anyOf: [text, number] }),
      shown: 'a:(str|num)[]',
    },
    { what: 'a list of lists', schema: listOf(listOf(number)), shown: 'a:num[][]' },
    { what: 'a list of anything', schema: { type: 'array' }, shown: 'a:any[]' },
    { what: 'an object', schema: objectOf({ b: text, c: number }, ['b']), shown: 'a:{b c?:num}' },
    {
      what: 'an object in an object',
      schema: objectOf({ b: objectOf({ c: text }) }),
      shown: 'a:{b:{c}}',
    },
    { what: 'an object of nothing', schema: { type: 'object' }, shown: 'a:{}' },
    { what: 'an object without a type', schema: { properties: { b: text } }, shown: 'a:{b?}' },
    {
      what: 'a list of objects',
      schema: listOf(objectOf({ b: text, c: integer }, ['b'])),
      shown: 'a:{b c?:int}[]',
    },
    {
      what: 'a list of objects or texts',
      schema: listOf({ anyOf: [objectOf({ b: text }), text] }),
      shown: 'a:({b}|str)[]',
    },
    {
      what: 'a list of texts or objects',
      schema: listOf({ anyOf: [text, objectOf({ b: text })] }),
      shown: 'a:(str|{b})[]',
    },
    {
      what: 'a list of objects with a choice in them',
      schema: listOf(objectOf({ b: { enum: ['x', 'y'] } })),
      shown: 'a:{b:x|y}[]',
    },
    {
      what: 'a record',
      schema: { type: 'object', additionalProperties: number },
      shown: 'a:{*:num}',
    },
    {
      what: 'an object with more of a kind',
      schema: { ...objectOf({ b: text }), additionalProperties: integer },
      shown: 'a:{b *:int}',
    },
    {
      what: 'a closed object',
      schema: { ...objectOf({ b: text }), additionalProperties: false },
      shown: 'a:{b}',
    },
    { what: 'one or the other', schema: { anyOf: [text, number] }, shown: 'a:str|num' },
    {
      what: 'one or the other, exactly',
      schema: { oneOf: [integer, boolean] },
      shown: 'a:int|bool',
    },
    {
      what: 'one object or the other',
      schema: {
        oneOf: [
          objectOf({ kind: { const: 'x' }, b: text }),
          objectOf({ kind: { const: 'y' }, c: number }),
        ],
      },
      shown: 'a:{kind:x b}|{kind:y c:num}',
    },
    { what: 'the same twice', schema: { anyOf: [text, text, nothing] }, shown: 'a:str|null' },
    { what: 'nullable', schema: { anyOf: [number, nothing] }, shown: 'a:num|null' },
    {
      what: 'nullable by a list of types',
      schema: { type: ['string', 'null'] },
      shown: 'a:str|null',
    },
    {
      what: 'nullable in the way of OpenAPI',
      schema: { type: 'integer', nullable: true },
      shown: 'a:int|null',
    },
    {
      what: 'a nullable choice',
      schema: { enum: ['x', 'y'], nullable: true },
      shown: 'a:x|y|null',
    },
    {
      what: 'a tuple',
      schema: { type: 'array', prefixItems: [text, number] },
      shown: 'a:[str num]',
    },
    {
      what: 'a tuple of old',
      schema: { type: 'array', items: [text, number] },
      shown: 'a:[str num]',
    },
    {
      what: 'both of two objects',
      schema: { allOf: [objectOf({ b: text }), objectOf({ c: number }, [])] },
      shown: 'a:{b c?:num}',
    },
    {
      what: 'properties beside a union',
      schema: { ...objectOf({ b: text }), oneOf: [objectOf({ c: text })] },
      shown: 'a:{b c}',
    },
  ])('that is $what is $shown', ({ schema, shown }) => {
    expect(show(schema)).toBe(shown)
  })

  test('that may be left out has a mark, and one with a default shows it instead', () => {
    const inputSchema = objectOf(
      {
        a: text,
        b: text,
        c: { ...integer, default: 3 },
        d: { ...text, default: 'x y' },
        e: { ...text, default: 'metric', enum: ['metric', 'imperial'] },
        f: { ...boolean, default: false },
        g: { ...listOf(text), default: [] },
        h: { type: ['string', 'null'], default: null },
      },
      ['a', 'c'],
    )
    expect(renderSignature({ name: 'f', inputSchema })).toBe(
      'f a b? c:int=3 d="x y" e:metric|imperial=metric f:bool=false g:str[]=[] h:str|null=null',
    )
  })

  test('with choices that could be mistaken for something else has them in quotes', () => {
    const schema = {
      enum: [
        'x y',
        '5',
        'true',
        'null',
        'str',
        '',
        'a|b',
        'a)b',
        'x\ny',
        'ok',
        'v1.2',
        'größer',
        5,
      ],
    }
    expect(show(schema)).toBe(
      'a:"x y"|"5"|"true"|"null"|"str"|""|"a|b"|"a)b"|"x\\ny"|ok|v1.2|größer|5',
    )
  })

  test('with an odd name has it in quotes', () => {
    const names = ['odd key', 'x:y', 'a=b', 'q"q', '', 'a\nb', 'a.b', 'a-b', '$x', 'ключ']
    const inputSchema = objectOf(Object.fromEntries(names.map(name => [name, text])))
    expect(renderSignature({ name: 'f', inputSchema })).toBe(
      'f "odd key" "x:y" "a=b" "q\\"q" "" "a\\nb" a.b a-b $x ключ',
    )
  })
})

describe('a reference', () => {
  const $defs = {
    size: { type: 'integer', description: 'In metres.' },
    node: objectOf({ name: text, children: listOf({ $ref: '#/$defs/node' }) }, ['name']),
    left: objectOf({ right: { $ref: '#/$defs/right' } }, []),
    right: objectOf({ left: { $ref: '#/$defs/left' } }, []),
    loop: { $ref: '#/$defs/pool' },
    pool: { $ref: '#/$defs/loop' },
  }

  test.for([
    { ref: '#/$defs/size', shown: 'a:int(In metres)' },
    { ref: '#/$defs/node', shown: 'a:{name children?:node[]}' },
    { ref: '#/$defs/left', shown: 'a:{right?:{left?:left}}' },
    { ref: '#/$defs/loop', shown: 'a:any' },
    { ref: '#/$defs/nowhere', shown: 'a:any' },
    { ref: 'https://example.com/schema', shown: 'a:any' },
  ])('$ref is shown as $shown', ({ ref, shown }) => {
    expect(show({ $ref: ref }, { $defs })).toBe(shown)
  })

  test('to the arguments themselves ends', () => {
    const inputSchema = objectOf({ name: text, inner: { $ref: '#' }, all: listOf({ $ref: '#' }) }, [
      'name',
    ])
    expect(renderSignature({ name: 'f', inputSchema })).toBe('f name inner?:this all?:this[]')
  })

  test('may contain the arguments', () => {
    const inputSchema = { $ref: '#/$defs/node', $defs }
    expect(renderSignature({ name: 'f', inputSchema })).toBe('f name children?:node[]')
  })

  test('in definitions of old is followed', () => {
    expect(show({ $ref: '#/definitions/size' }, { definitions: $defs })).toBe('a:int(In metres)')
  })

  test('used twice is shown twice', () => {
    const inputSchema = objectOf(
      { a: { $ref: '#/$defs/size' }, b: { $ref: '#/$defs/size' } },
      ['a', 'b'],
      { $defs },
    )
    expect(renderSignature({ name: 'f', inputSchema }, { descriptions: 'none' })).toBe(
      'f a:int b:int',
    )
  })
})

describe('descriptions', () => {
  const inputSchema = objectOf({
    city: { type: 'string', description: 'The name of a city. Not of a country.\nIn English.' },
    where: objectOf({ street: { type: 'string', description: 'With its number.' } }),
    plain: { type: 'string', description: '  ' },
  })
  const tool = { name: 'f', description: '  Finds\n\nit. Really - yes. ', inputSchema }

  test('are left out, cut to a sentence, or shown in full; that of the tool is always there', () => {
    const render = (descriptions: 'none' | 'short' | 'full') =>
      renderSignature(tool, { descriptions })
    expect(render('none')).toBe('f city where:{street} plain - Finds it. Really - yes.')
    expect(render('short')).toBe(
      'f city(The name of a city) where:{street(With its number)} plain - Finds it. Really - yes.',
    )
    expect(render('full')).toBe(
      'f city(The name of a city. Not of a country. In English.) where:{street(With its number.)} plain - Finds it. Really - yes.',
    )
    expect(renderSignature(tool)).toBe(render('short'))
  })

  test('without an end are cut between two words', () => {
    const shown = show({ type: 'string', description: 'word '.repeat(40) })
    expect(shown).toMatch(/^a\((word ){10,15}word…\)$/)
    expect(shown.length).toBeLessThan(90)
  })

  test('that begin with an abbreviation say more than that', () => {
    expect(show({ type: 'string', description: 'e.g. Paris or Rome. Never a country.' })).toBe(
      'a(e.g. Paris or Rome)',
    )
  })

  test('of a tool may be missing or blank', () => {
    for (const description of [undefined, '', ' \n']) {
      expect(
        renderSignature({
          name: 'f',
          inputSchema: objectOf({ a: text }),
          ...(description === undefined ? {} : { description }),
        }),
      ).toBe('f a')
    }
  })
})

describe('the arguments', () => {
  test.for([
    { schema: { type: 'object', properties: {} } },
    { schema: { type: 'object' } },
    { schema: {} },
    { schema: undefined },
    { schema: null },
    { schema: true },
  ])('that are none ($schema) leave the name alone', ({ schema }) => {
    expect(renderSignature({ name: 'ping', inputSchema: schema })).toBe('ping')
    expect(renderSignature({ name: 'ping', description: 'Pings.', inputSchema: schema })).toBe(
      'ping - Pings.',
    )
  })

  test('as JSON are in braces', () => {
    const inputSchema = objectOf({ a: text, b: integer }, ['a'])
    expect(
      renderSignature({ name: 'f', description: 'Does it.', inputSchema }, { isJson: true }),
    ).toBe('f {a b?:int} - Does it.')
  })

  test('that are not an object of named properties show their type', () => {
    const render = (inputSchema: unknown) =>
      renderSignature({ name: 'f', inputSchema }, { isJson: true })
    expect(render({ anyOf: [objectOf({ a: text }), objectOf({ b: integer })] })).toBe(
      'f {a}|{b:int}',
    )
    expect(render({ type: 'object', additionalProperties: text })).toBe('f {*:str}')
    expect(render(listOf(number))).toBe('f num[]')
  })

  test('put together of several keep the order of the schema and what each requires', () => {
    const inputSchema = {
      allOf: [objectOf({ a: text, b: text }, ['a']), objectOf({ c: number }), { required: ['b'] }],
    }
    expect(renderSignature({ name: 'f', inputSchema })).toBe('f a b c:num')
  })
})

describe('a signature', () => {
  const hostile: Json[] = [
    objectOf({ 'a\nb': text }),
    objectOf({ a: { enum: ['x\ny', '\r'] } }),
    objectOf({ a: { ...text, default: 'x\ny' } }),
    objectOf({ a: { const: { b: 'x\ny' } } }),
    objectOf({ a: { ...text, description: 'x\r\ny\u2028z' } }),
    objectOf({ a: { type: 'string', format: 'x\ny' } }),
    objectOf({ a: { $ref: '#/$defs/x%0Ay' } }, ['a'], {
      $defs: { 'x\ny': objectOf({ b: { $ref: '#/$defs/x%0Ay' } }) },
    }),
  ]

  test.for(hostile)('is one line, whatever the schema contains: %j', inputSchema => {
    for (const descriptions of ['none', 'short', 'full'] as const) {
      const signature = renderSignature(
        { name: 'f', description: 'a\nb', inputSchema },
        { descriptions },
      )
      expect(signature.split(/[\n\r\u2028\u2029]/)).toHaveLength(1)
    }
  })

  test('is one line, whatever the tool is called', () => {
    expect(
      renderSignature({ name: 'a\nb', inputSchema: objectOf({ c: text }) }).split('\n'),
    ).toHaveLength(1)
  })

  test('says nothing twice: the example of the documentation is as short as it is there', () => {
    const inputSchema = objectOf(
      {
        customer: { type: 'integer', description: 'The customer number.' },
        items: listOf(objectOf({ sku: text, qty: { ...integer, default: 1 } }, ['sku'])),
        express: boolean,
      },
      ['customer', 'items'],
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        additionalProperties: false,
        title: 'Order',
      },
    )
    expect(
      renderSignature({ name: 'place_order', description: 'Orders goods.', inputSchema }),
    ).toBe(
      'place_order customer:int(The customer number) items:{sku qty:int=1}[] express?:bool - Orders goods.',
    )
  })

  test('of a schema that is broken is still a signature', () => {
    const broken: unknown[] = [
      objectOf({ a: text }, [], { required: 'a' }),
      { type: 'object', properties: [] },
      {
        type: 'object',
        properties: { a: null, b: 5, c: { type: 7 }, d: { enum: 'x' }, e: { anyOf: {} } },
      },
      { $ref: '#' },
      { allOf: [{ $ref: '#' }] },
      { anyOf: [{ $ref: '#' }, { type: 'object', properties: { a: text } }] },
    ]
    for (const inputSchema of broken)
      expect(renderSignature({ name: 'f', inputSchema })).toMatch(/^f\b/)
  })
})
