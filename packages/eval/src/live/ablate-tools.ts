import { isRecord } from '../is-record.js'
import { createRandom, shuffle } from '../random.js'
import { chooseDistractors } from './distractors.js'
import type { JsonObject } from './json.js'
import type { RunConfig } from './options.js'
import type { LiveTool } from './task.js'

/**
 * Returns the tools of one run with the settings applied. They depend on task and repetition but not
 * on the protocol, so that all protocols get the same tools.
 */
export function ablateTools(
  tools: readonly LiveTool[],
  config: RunConfig,
  taskId: string,
  rep: number,
): LiveTool[] {
  const seed = `${config.seed}/${taskId}/${rep}`
  const all = [...tools, ...chooseDistractors(config.distractors, tools, `distractors/${seed}`)]
  const ordered = config.isShuffled ? shuffle(all, createRandom(`order/${seed}`)) : all
  return ordered.map(tool => ({
    ...tool,
    description: config.hasToolDescriptions ? tool.description : '',
    inputSchema: config.hasParameterDescriptions
      ? tool.inputSchema
      : withoutDescriptions(tool.inputSchema),
  }))
}

/** Keywords whose value contains schemas by name. A property may be named "description". */
const schemasByName = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
])
/** Keywords whose value is data, not a schema. */
const data = new Set(['enum', 'const', 'default', 'examples', 'required'])

export function withoutDescriptions(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (key === 'description') return []
    if (data.has(key)) return [[key, value]]
    if (!schemasByName.has(key)) return [[key, strip(value)]]
    return [
      [
        key,
        isRecord(value)
          ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, strip(v)]))
          : value,
      ],
    ]
  })
  return Object.fromEntries(entries)
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip)
  return isRecord(value) ? withoutDescriptions(value) : value
}
