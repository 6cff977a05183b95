import { asRecord, isRecord } from '../is-record.js'

/**
 * Returns the JSON Schema inside the AI SDK's wrapper: `jsonSchema({…})` makes `{ jsonSchema: {…} }`. Any
 * other schema is returned as it is.
 */
export function unwrapSchema(schema: unknown): unknown {
  const { jsonSchema } = asRecord(schema)
  return isRecord(jsonSchema) ? jsonSchema : schema
}

/** Returns the tools with plain JSON Schemas. A tool that has one already is the same object. */
export function unwrapTools<Tool extends { readonly inputSchema?: unknown }>(
  tools: readonly Tool[],
): readonly Tool[] {
  return tools.map(tool => {
    const inputSchema = unwrapSchema(tool.inputSchema)
    return inputSchema === tool.inputSchema ? tool : { ...tool, inputSchema }
  })
}
