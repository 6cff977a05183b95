import fc, { type Arbitrary } from 'fast-check'
import { type Json, objectOf } from './json.js'

/**
 * A schema in the making: a tree from which both the JSON Schema and the values that fit it are
 * drawn.
 */
export type Spec =
  | {
      readonly type:
        | 'string'
        | 'number'
        | 'integer'
        | 'boolean'
        | 'null'
        | 'silent'
        | 'true'
        | 'tree'
    }
  | { readonly type: 'values'; readonly values: readonly Json[]; readonly isTyped: boolean }
  | { readonly type: 'const'; readonly value: Json }
  | { readonly type: 'nullable'; readonly of: Spec; readonly form: 'types' | 'anyOf' | 'openapi' }
  | { readonly type: 'array'; readonly of: Spec }
  | { readonly type: 'tuple'; readonly of: readonly Spec[]; readonly isDraft7: boolean }
  | ObjectSpec
  | { readonly type: 'record'; readonly of: Spec }
  | { readonly type: 'ref'; readonly of: Spec; readonly name: string }
  | { readonly type: 'union'; readonly tag: string; readonly members: readonly ObjectSpec[] }
  | { readonly type: 'anyOf'; readonly of: readonly Spec[]; readonly keyword: 'anyOf' | 'oneOf' }
  | { readonly type: 'allOf'; readonly of: readonly ObjectSpec[] }

export interface ObjectSpec {
  readonly type: 'object'
  readonly properties: readonly (readonly [key: string, of: Spec])[]
  /** What the schema says of other properties. `undefined`: nothing, so they are allowed. */
  readonly others: boolean | undefined
}

const plain: Arbitrary<Spec> = fc.constantFrom(
  ...(
    [
      'string',
      'string',
      'string',
      'number',
      'integer',
      'boolean',
      'null',
      'silent',
      'true',
      'tree',
    ] as const
  ).map(type => ({ type })),
)

/** Specs of any kind, nested a few levels deep. */
export function specs(keys: Arbitrary<string>, strings: Arbitrary<string>): Arbitrary<Spec> {
  const scalars = scalarValues(strings)
  return fc.letrec<{ spec: Spec; object: ObjectSpec }>(tie => ({
    object: objectSpecs(keys, tie('spec')),
    spec: fc.oneof(
      { depthSize: 'small', maxDepth: 3, withCrossShrink: true },
      { weight: 8, arbitrary: plain },
      { weight: 1, arbitrary: fc.record({ type: fc.constant('const' as const), value: scalars }) },
      {
        weight: 2,
        arbitrary: fc.record({
          type: fc.constant('values' as const),
          values: fc.uniqueArray(scalars, {
            minLength: 1,
            maxLength: 4,
            selector: value => JSON.stringify(value),
          }),
          isTyped: fc.boolean(),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          type: fc.constant('nullable' as const),
          of: tie('spec'),
          form: fc.constantFrom('types' as const, 'anyOf' as const, 'openapi' as const),
        }),
      },
      { weight: 2, arbitrary: fc.record({ type: fc.constant('array' as const), of: tie('spec') }) },
      {
        weight: 1,
        arbitrary: fc.record({
          type: fc.constant('tuple' as const),
          of: fc.array(tie('spec'), { minLength: 1, maxLength: 3 }),
          isDraft7: fc.boolean(),
        }),
      },
      { weight: 2, arbitrary: tie('object') },
      {
        weight: 1,
        arbitrary: fc.record({ type: fc.constant('record' as const), of: tie('spec') }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          type: fc.constant('ref' as const),
          of: tie('spec'),
          name: fc.constantFrom('Def', 'a/b~c', 'x y', '%', 'é'),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          type: fc.constant('union' as const),
          tag: fc.constantFrom('type', 'kind'),
          members: fc.array(tie('object'), { minLength: 2, maxLength: 3 }),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          type: fc.constant('anyOf' as const),
          of: fc.array(tie('spec'), { minLength: 2, maxLength: 3 }),
          keyword: fc.constantFrom('anyOf' as const, 'oneOf' as const),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          type: fc.constant('allOf' as const),
          of: fc.array(tie('object'), { minLength: 1, maxLength: 2 }),
        }),
      },
    ),
  })).spec
}

export function objectSpecs(keys: Arbitrary<string>, of: Arbitrary<Spec>): Arbitrary<ObjectSpec> {
  return fc.record({
    type: fc.constant('object' as const),
    properties: fc.uniqueArray(fc.tuple(keys, of), { maxLength: 4, selector: ([key]) => key }),
    others: fc.constantFrom(undefined, false, true),
  })
}

/**
 * What the arguments of a tool may be: an object, in one of the ways in which that can be said; or
 * nothing said at all.
 */
export function rootSpecs(keys: Arbitrary<string>, strings: Arbitrary<string>): Arbitrary<Spec> {
  const object = objectSpecs(keys, specs(keys, strings))
  return fc.oneof(
    { weight: 8, arbitrary: object },
    { weight: 1, arbitrary: fc.constant<Spec>({ type: 'silent' }) },
    {
      weight: 1,
      arbitrary: fc.record({ type: fc.constant('record' as const), of: specs(keys, strings) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('ref' as const),
        of: object,
        name: fc.constantFrom('Root', 'a/b'),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('union' as const),
        tag: fc.constantFrom('type', 'kind'),
        members: fc.array(object, { minLength: 2, maxLength: 3 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('allOf' as const),
        of: fc.array(object, { minLength: 1, maxLength: 2 }),
      }),
    },
  )
}

type Schema = boolean | { readonly [keyword: string]: unknown }

/** The JSON Schema of a spec. */
export function schemaOf(spec: Spec): Schema {
  const definitions = new Map<string, Schema>()
  const schema = write(spec, definitions)
  if (definitions.size === 0 || typeof schema === 'boolean') return schema
  return { ...schema, $defs: Object.fromEntries(definitions) }
}

function write(spec: Spec, definitions: Map<string, Schema>): Schema {
  const inner = (of: Spec) => write(of, definitions)
  switch (spec.type) {
    case 'silent':
      return {}
    case 'true':
      return true
    case 'tree':
      definitions.set('Tree', {
        type: 'object',
        properties: {
          label: { type: 'string' },
          children: { type: 'array', items: { $ref: '#/$defs/Tree' } },
        },
      })
      return { $ref: '#/$defs/Tree' }
    case 'values':
      return spec.isTyped
        ? { type: typesOf(spec.values), enum: spec.values }
        : { enum: spec.values }
    case 'const':
      return { const: spec.value }
    case 'nullable':
      return writeNullable(inner(spec.of), spec.form)
    case 'array':
      return { type: 'array', items: inner(spec.of) }
    case 'tuple':
      return spec.isDraft7
        ? { type: 'array', items: spec.of.map(inner) }
        : { type: 'array', prefixItems: spec.of.map(inner) }
    case 'object':
      return {
        type: 'object',
        properties: Object.fromEntries(spec.properties.map(([key, of]) => [key, inner(of)])),
        ...(spec.others === undefined ? {} : { additionalProperties: spec.others }),
      }
    case 'record':
      return { type: 'object', additionalProperties: inner(spec.of) }
    case 'ref': {
      const name = `${spec.name}${definitions.size}`
      definitions.set(name, {})
      definitions.set(name, inner(spec.of))
      return {
        $ref: `#/$defs/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`,
      }
    }
    case 'union':
      return { oneOf: membersOf(spec).map(inner) }
    case 'anyOf':
      return { [spec.keyword]: spec.of.map(inner) }
    case 'allOf':
      return { allOf: compatible(spec.of).map(inner) }
    default:
      return { type: spec.type }
  }
}

function writeNullable(schema: Schema, form: 'types' | 'anyOf' | 'openapi'): Schema {
  if (
    form !== 'anyOf' &&
    typeof schema === 'object' &&
    typeof schema.type === 'string' &&
    !('enum' in schema)
  ) {
    return form === 'types'
      ? { ...schema, type: [schema.type, 'null'] }
      : { ...schema, nullable: true }
  }
  return { anyOf: [schema, { type: 'null' }] }
}

function typesOf(values: readonly Json[]): string[] {
  return [...new Set(values.map(value => (value === null ? 'null' : typeof value)))]
}

/** The members of a union, each with the property that tells it from the others. */
function membersOf({ tag, members }: Extract<Spec, { type: 'union' }>): ObjectSpec[] {
  return members.map((member, i) => ({
    ...member,
    properties: [
      ...member.properties.filter(([key]) => key !== tag),
      [tag, { type: 'const', value: i === 0 ? 'circle' : i }],
    ],
  }))
}

/** Objects that one value can satisfy together: open, and each with keys of its own. */
function compatible(members: readonly ObjectSpec[]): ObjectSpec[] {
  const seen = new Set<string>()
  return members.map(member => {
    const properties = member.properties.filter(([key]) => !seen.has(key))
    for (const [key] of properties) seen.add(key)
    return { ...member, properties, others: undefined }
  })
}

export interface ValueSources {
  readonly strings: Arbitrary<string>
  readonly keys: Arbitrary<string>
  /** Puts keys into objects that their schema does not name but allows. */
  readonly hasExtraKeys: boolean
}

/** The values that fit a spec. */
export function valuesOf(spec: Spec, sources: ValueSources): Arbitrary<Json> {
  const { strings, keys } = sources
  const inner = (of: Spec) => valuesOf(of, sources)
  switch (spec.type) {
    case 'string':
      return strings
    case 'number':
      return numbers
    case 'integer':
      return fc.oneof(fc.integer(), fc.maxSafeInteger())
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'silent':
    case 'true':
      return anyValues(sources)
    case 'tree':
      return trees(strings)
    case 'values':
      return fc.constantFrom(...spec.values)
    case 'const':
      return fc.constant(spec.value)
    case 'nullable':
      return fc.oneof(fc.constant(null), inner(spec.of))
    case 'array':
      return fc.array(inner(spec.of), { maxLength: 3 })
    case 'tuple':
      return fc.tuple(...spec.of.map(inner))
    case 'object':
      return objectsOf(spec, sources).map(objectOf)
    case 'record':
      return fc
        .uniqueArray(fc.tuple(keys, inner(spec.of)), { maxLength: 3, selector: ([key]) => key })
        .map(objectOf)
    case 'ref':
      return inner(spec.of)
    case 'union':
      return fc.oneof(
        ...membersOf(spec).map(member =>
          // The property that tells the members apart must be there, at any place.
          fc
            .tuple(objectsOf(member, { ...sources, hasExtraKeys: false }), fc.nat())
            .map(([entries, place]) => {
              const [tag, of] = member.properties.at(-1) ?? ['', { type: 'silent' as const }]
              const others = entries.filter(([key]) => key !== tag)
              const value: Json = of.type === 'const' ? of.value : null
              return objectOf(others.toSpliced(place % (others.length + 1), 0, [tag, value]))
            }),
        ),
      )
    case 'anyOf':
      return fc.oneof(...spec.of.map(inner))
    case 'allOf':
      return fc
        .tuple(
          ...compatible(spec.of).map(member =>
            objectsOf(member, { ...sources, hasExtraKeys: false }),
          ),
        )
        .map(parts => objectOf(parts.flat()))
  }
}

type Entries = readonly (readonly [string, Json])[]

function objectsOf({ properties, others }: ObjectSpec, sources: ValueSources): Arbitrary<Entries> {
  const known = fc.tuple(
    ...properties.map(([key, of]) =>
      fc.option(
        valuesOf(of, sources).map(value => [key, value] as const),
        { freq: 5 },
      ),
    ),
  )
  const names = new Set(properties.map(([key]) => key))
  const mayHaveOthers = others === true || (others === undefined && sources.hasExtraKeys)
  const extra: Arbitrary<Entries> = mayHaveOthers
    ? fc
        .uniqueArray(fc.tuple(sources.keys, scalarValues(sources.strings)), {
          maxLength: 2,
          selector: ([key]) => key,
        })
        .map(entries => entries.filter(([key]) => !names.has(key)))
    : fc.constant([])
  return fc.tuple(known, extra, fc.boolean()).map(([entries, more, isFirst]) => {
    const given = entries.filter(entry => entry !== null)
    return isFirst ? [...more, ...given] : [...given, ...more]
  })
}

const numbers: Arbitrary<number> = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -1, 0.1, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 123456789012345680000),
)

export function scalarValues(strings: Arbitrary<string>): Arbitrary<Json> {
  return fc.oneof(strings, fc.integer(), fc.boolean(), fc.constant(null))
}

function anyValues({ strings, keys }: ValueSources): Arbitrary<Json> {
  return fc.letrec<{ value: Json }>(tie => ({
    value: fc.oneof(
      { depthSize: 'small', maxDepth: 3, withCrossShrink: true },
      strings,
      fc.constant(null),
      fc.boolean(),
      numbers,
      fc.array(tie('value'), { maxLength: 3 }),
      fc
        .uniqueArray(fc.tuple(keys, tie('value')), { maxLength: 3, selector: ([key]) => key })
        .map(objectOf),
    ),
  })).value
}

function trees(strings: Arbitrary<string>): Arbitrary<Json> {
  return fc.letrec<{ tree: Json }>(tie => ({
    tree: fc.oneof(
      { depthSize: 'small', maxDepth: 3 },
      strings.map(label => ({ label })),
      fc.record({ label: strings, children: fc.array(tie('tree'), { maxLength: 2 }) }),
    ),
  })).tree
}
