import { asRecord, isRecord } from '../is-record.js'

/**
 * The JSON Schema inside the AI SDK's wrapper: `jsonSchema({…})` makes `{ jsonSchema: {…} }`. Any
 * other schema is returned as it is.
 */
export function unwrapSchema(schema: unknown): unknown {
  const { jsonSchema } = asRecord(schema)
  return isRecord(jsonSchema) ? jsonSchema : schema
}

/**
 * The tools with plain JSON Schemas. Tools that have them already are returned as the same objects.
 */
export function unwrapTools<Tool extends { readonly inputSchema?: unknown }>(
  tools: readonly Tool[],
): readonly Tool[] {
  return tools.map(tool => {
    const inputSchema = unwrapSchema(tool.inputSchema)
    return inputSchema === tool.inputSchema ? tool : { ...tool, inputSchema }
  })
}
