import { isRecord } from '../is-record.js'
import { CommandError } from '../usage-error.js'
import { parseJsonText, readFileText } from './read-text.js'

/** A call that the user wrote. Its arguments are a value, not text. */
export interface GivenCall {
  readonly toolName: string
  readonly input: unknown
}

const form = 'like {"name": "get_weather", "arguments": {"city": "Oslo"}}'

/**
 * Reads the calls of a file: a list of calls, the output of `toolglot parse`, or an OpenAI or
 * Anthropic message.
 */
export async function readCalls(file: string): Promise<GivenCall[]> {
  const text = await readFileText(file)
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const isLines = lines.length > 1 && lines.every(line => /^\s*\{.*\}\s*$/.test(line))
  const json = isLines ? lines.map(line => parseJsonText(line, file)) : parseJsonText(text, file)
  const calls = findList(json).filter(each => !isRecord(each) || !isOtherPart(each.type))
  if (calls.length === 0)
    throw new CommandError(`${file} contains no calls. Expected a list of calls ${form}.`)
  return calls.map((call, i) => callOf(call, `${file}: call ${i + 1}`))
}

/** Reads a call from the command line. */
export function callOfText(text: string): GivenCall {
  return callOf(parseJsonText(text, '--call'), '--call')
}

function findList(json: unknown): readonly unknown[] {
  if (Array.isArray(json)) return json
  if (!isRecord(json)) return [json]
  const inner = json.calls ?? json.tool_calls ?? json.content
  return Array.isArray(inner) ? inner : [json]
}

/** True for the text, reasoning and problems between the calls. */
const isOtherPart = (type: unknown) => type === 'text' || type === 'reasoning' || type === 'problem'

function callOf(json: unknown, place: string): GivenCall {
  const own = isRecord(json) && isRecord(json.function) ? json.function : json
  if (!isRecord(own)) throw new CommandError(`${place} is not a call. Expected a call ${form}.`)
  const toolName = own.toolName ?? own.name
  if (typeof toolName !== 'string')
    throw new CommandError(`${place} has no name. Expected a call ${form}.`)
  const given = own.input ?? own.args ?? own.arguments ?? own.parameters ?? {}
  const input =
    typeof given === 'string' ? parseJsonText(given, `${place} (${toolName}): arguments`) : given
  return { toolName, input }
}
