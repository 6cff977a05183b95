import { lineMarks } from '../engine/pairs/after-value.js'
import { lineCalls, pairCalls } from '../engine/pairs/pair-calls.js'
import { JsonType } from '../engine/values/shape.js'
import { checkOptionNames, checkOptionValues, type OptionNames } from '../options/check-options.js'
import { shapeOfSchema } from '../schema/shape-of-schema.js'
import { complexFields, type Descriptions, renderSignature } from '../schema/signature.js'
import type { FunctionTool } from '../sdk/parts.js'
import { escapeControlTokens } from '../writing/control-tokens.js'
import { escapeMarks, resultMarks } from '../writing/json-text.js'
import { writePairs } from '../writing/pair-writer.js'
import type { NamedTool } from './format-definition.js'
import { formatProtocol } from './format-protocol.js'
import type { EngineProtocol } from './protocol.js'

/** The options of `compactProtocol` and `compactTools`. */
export interface CompactProtocolOptions {
  /**
   * How the model writes a call.
   *
   * @default 'wire'
   */
  readonly syntax?: CompactSyntax | undefined
  /**
   * How arguments are written that the syntax cannot express: objects and lists of objects.
   *
   * @default 'complex'
   */
  readonly fallbackToJson?: FallbackToJson | undefined
  /**
   * The explanation in the prompt, above the signatures of the tools.
   *
   * @default an explanation of what the tools of the request need
   */
  readonly manualHeader?: string | undefined
  /**
   * How much of the parameters' descriptions the signatures show.
   *
   * @default 'short'
   */
  readonly descriptions?: Descriptions | undefined
}

/** How the model writes a call. */
export type CompactSyntax =
  /** `<call>send_mail to=ann@example.com subject="Lunch today?"</call>` */
  | 'wire'
  /** `<call>send_mail {"to":"ann@example.com","subject":"Lunch today?"}</call>` */
  | 'json'
  /** `@send_mail to=ann@example.com subject=Lunch today?` */
  | 'line'

/** How arguments are written that a compact syntax cannot express. */
export type FallbackToJson =
  /** `place={"city":"Paris"}`: that argument is JSON; all of them if they are not named. */
  | 'complex'
  /** `planTools` and the prompt throw a `TypeError`. */
  | 'error'
  /** `place.city=Paris`: nested objects have dotted keys. Lists of objects are JSON. */
  | 'force'

/** How the arguments of one tool are written. */
export interface ToolPlan {
  /** The name of the tool. */
  readonly toolName: string
  /** `pairs`: `city=Paris days=3`. `json`: `{"city":"Paris","days":3}`. */
  readonly form: 'pairs' | 'json'
  /** The parameters whose values are JSON or have dotted keys. */
  readonly complexFields: readonly string[]
}

/**
 * Decides for each tool how its arguments are written in a compact syntax. Throws a `TypeError` if
 * `fallbackToJson` is `error` and the syntax cannot express a tool.
 *
 * @example
 * ```ts
 * import { planTools } from '@toolglot/parser'
 *
 * const inputSchema = { type: 'object', properties: { place: { type: 'object' } } }
 * console.log(planTools([{ name: 'get_weather', inputSchema }])[0]?.complexFields) // [ 'place' ]
 * ```
 */
export function planTools(
  tools: readonly NamedTool[],
  options: CompactProtocolOptions = {},
): ToolPlan[] {
  const { syntax = 'wire', fallbackToJson = 'complex' } = options
  checkCompactOptions('planTools', options)
  return tools.map(({ name: toolName, inputSchema }) => {
    const fields = syntax === 'json' ? undefined : complexFields(inputSchema, syntax === 'line')
    if (syntax !== 'json' && fallbackToJson === 'error' && fields?.length !== 0) {
      const what = fields
        ? `the field ${JSON.stringify(fields[0])} is nested`
        : 'it takes no object of named values'
      throw new TypeError(
        `compactTools: the syntax "${syntax}" cannot express the tool ${JSON.stringify(toolName)}, since ${what}. Set fallbackToJson to "complex" (JSON where it is needed) or "force" (dotted keys), or simplify its schema.`,
      )
    }
    return { toolName, form: fields ? 'pairs' : 'json', complexFields: fields ?? [] }
  })
}

/** The names of the options of `compactProtocol`. */
export const compactOptionNames: OptionNames<CompactProtocolOptions> = {
  syntax: true,
  fallbackToJson: true,
  manualHeader: true,
  descriptions: true,
}

function checkCompactOptions(factory: string, options: CompactProtocolOptions): void {
  checkOptionNames(factory, options, compactOptionNames)
  checkOptionValues(options)
}

const tags = { open: '<call>', close: '</call>', isLine: false }

/**
 * Creates a protocol that needs few tokens, for any model that follows instructions. Three syntaxes
 * are read by one grammar; see docs/compact.md:
 *
 *     <call>send_mail to=ann@example.com subject="Lunch today?"</call>          wire
 *     <call>send_mail {"to":"ann@example.com","subject":"Lunch today?"}</call>  json
 *     @send_mail to=ann@example.com subject=Lunch today?                        line
 *
 * @example
 * ```ts
 * import { compactProtocol } from '@toolglot/parser'
 *
 * const call = { toolCallId: '1', toolName: 'get_weather', input: { city: 'Paris' } }
 * const inputSchema = { type: 'object', properties: { city: { type: 'string' } } }
 * const tools = [{ type: 'function' as const, name: 'get_weather', inputSchema }]
 *
 * const protocol = compactProtocol({ syntax: 'line' })
 * console.log(protocol.formatToolCall(call, { tools })) // @get_weather city=Paris
 * ```
 */
export function compactProtocol(options: CompactProtocolOptions = {}): EngineProtocol {
  const {
    syntax = 'wire',
    fallbackToJson = 'complex',
    manualHeader,
    descriptions = 'short',
  } = options
  checkCompactOptions('compactProtocol', options)
  const isLine = syntax === 'line'
  const marks = isLine ? lineMarks : tags
  const sign = isLine ? '@' : ''
  const isJson = (tool: NamedTool, plan = options) => planTools([tool], plan)[0]?.form === 'json'
  return formatProtocol({
    grammar: isLine ? lineCalls('@') : pairCalls(tags.open, tags.close, syntax === 'json'),
    call: isLine ? '@$name $args' : `${tags.open}$name $args${tags.close}`,
    joint: '\n',
    notInName: /[\s({<>="'[]+/g,
    writeArgs: ({ args, json, text }, _, tool) => {
      if (!args)
        return text === undefined
          ? json
          : escapeMarks(text, [tags.open, tags.close]).replace(/\s+/g, ' ')
      const isFlat = fallbackToJson === 'force'
      // `fallbackToJson: 'error'` is ignored: a call of the history must be written.
      return (
        (isJson(tool, { syntax })
          ? undefined
          : writePairs(args, tool.inputSchema, marks, isFlat)) ?? JSON.stringify(args)
      )
    },
    writeJson: value => JSON.stringify(value),
    result: '<result>$name: $content</result>',
    errorResult: '<result>$name failed: $content</result>',
    resultMarks,
    toolsForm: {
      tool: tool => {
        const signature = renderSignature(tool, { descriptions, isJson: isJson(tool) })
        return sign + escapeMarks(escapeControlTokens(signature), [tags.open, tags.close])
      },
    },
    howTo: (_, tools) => manualHeader ?? compactHeader(tools, options),
    prompt: ({ tools, howTo }) => `${howTo}\n${tools}`,
  })
}

/** Writes the explanation above the signatures. It explains only what these tools need. */
function compactHeader(tools: readonly FunctionTool[], options: CompactProtocolOptions): string {
  const { syntax = 'wire', fallbackToJson } = options
  const isLine = syntax === 'line'
  const isJson = syntax === 'json'
  const shapes = isJson ? [] : tools.map(tool => shapeOfSchema(tool.inputSchema))
  const values = shapes.flatMap(({ propertyNames, property }) => propertyNames.map(property))
  const lists = values.filter(value => value.types & JsonType.array)
  const hasTables = lists.some(value => value.item(0).types & JsonType.object)
  const hasLists = lists.some(value => !(value.item(0).types & JsonType.object))
  const hasObjects = values.some(value => value.types & JsonType.object)
  const hasJson = planTools(tools, options).some(each => each.form === 'json')
  const jsonCall = isLine ? '@name {"key":"value"}' : '<call>name {"key":"value"}</call>'
  const intros = {
    json: `To call a tool, write its name and a JSON object between tags:\n${jsonCall}\nOne <call> for each call. `,
    wire: 'To call a tool, write its name and arguments between tags:\n<call>name key=word key="text with spaces" key=5</call>\nOne <call> for each call. Quote text unless it is a single word; escape quoted text as in JSON. ',
    line: 'To call tools, write one line per call:\n@name key=some text key=5\nNo quotes: a value ends at the next key. Text with line breaks (END, or any word not in the text):\n@name key=<<END\nline 1\nline 2\nEND\n',
  }
  const objects = isLine ? 'Objects: JSON. ' : 'Objects: key={"a":1}. '
  const notes = [
    isLine && hasTables && 'Lists of objects:\n@name key=<<END\na|b\n1|2\n3|4\nEND\n',
    hasLists && (isLine ? 'Lists: a, b. ' : 'Lists: key=a,b or key=["a b","c"]. '),
    hasTables && !isLine && 'Lists of objects: key=[{"a":1},{"a":2}]. ',
    hasObjects && (fallbackToJson === 'force' ? 'Objects: key.a=1 key.b=2. ' : objects),
    hasJson && !isJson && `Tools whose parameters are in { } take one JSON value: ${jsonCall}. `,
    isLine
      ? 'Then stop and wait for the results. Parameters'
      : 'Then stop: the results come as <result>. If no tool is needed, just answer. Below, parameters',
  ]
  return `# Tools\n${intros[syntax]}${notes.filter(Boolean).join('')} with ? are optional; those without a type are text.`
}
