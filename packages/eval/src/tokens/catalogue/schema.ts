import type { FunctionTool } from '@toolglot/parser'

/**
 * Short functions for JSON Schema. A library would add `$schema`, `additionalProperties` and bounds
 * for every integer, which would make the native definitions longer than necessary.
 */
export type Schema = Readonly<Record<string, unknown>>
type Properties = Readonly<Record<string, Schema>>

export const text = (description?: string): Schema => describe({ type: 'string' }, description)
export const integer = (description?: string): Schema => describe({ type: 'integer' }, description)
export const number = (description?: string): Schema => describe({ type: 'number' }, description)
export const flag = (description?: string): Schema => describe({ type: 'boolean' }, description)

export const choice = (values: readonly string[], description?: string): Schema =>
  describe({ type: 'string', enum: values }, description)

export const list = (items: Schema, description?: string): Schema =>
  describe({ type: 'array', items }, description)

/** An object with arbitrary keys. */
export const record = (values: Schema, description?: string): Schema =>
  describe({ type: 'object', additionalProperties: values }, description)

/** An object: required properties first, then optional ones. */
export function object(
  required: Properties,
  optional: Properties = {},
  description?: string,
): Schema {
  const names = Object.keys(required)
  return describe(
    {
      type: 'object',
      properties: { ...required, ...optional },
      ...(names.length ? { required: names } : {}),
    },
    description,
  )
}

export const nullable = (type: 'string' | 'integer' | 'number', description?: string): Schema =>
  describe({ type: [type, 'null'] }, description)

export const anyOf = (variants: readonly Schema[], description?: string): Schema =>
  describe({ anyOf: variants }, description)

export const constant = (value: string): Schema => ({ type: 'string', const: value })

export function tool(name: string, description: string, inputSchema: Schema): FunctionTool {
  return { type: 'function', name, description, inputSchema }
}

function describe(schema: Schema, description: string | undefined): Schema {
  return description === undefined ? schema : { ...schema, description }
}
