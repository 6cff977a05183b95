import type { CallEndEvent } from '../engine/events.js'
import type { FunctionTool } from '../sdk/parts.js'
import type { ModelFormat } from './model-format.js'
import { formatOfModel, nativeFormats } from './registry.js'

/** What a protocol can be told by. One of them, or a string of which it is guessed. */
export interface ProtocolTraces {
  /** As in `model.modelId`: `qwen/qwen3-coder-30b`. */
  readonly modelId?: string | undefined
  /** The Jinja template of a model, as in its tokenizer_config.json. */
  readonly chatTemplate?: string | undefined
  /** What a model wrote. */
  readonly text?: string | undefined
  /** The tools of that text, if they are known: then only their names count as calls. */
  readonly tools?: readonly FunctionTool[] | undefined
}

export interface ProtocolDetection {
  /** The name of the protocol, for `getProtocol`. */
  readonly protocol: string
  readonly by: 'modelId' | 'chatTemplate' | 'text'
  /** Other protocols that fit as well, such as those that differ only in their prompt. */
  readonly alternatives: readonly string[]
}

/** Tells which built-in protocol a model uses: by its id, its chat template, or something that it wrote. */
export function detectProtocol(traces: ProtocolTraces | string): ProtocolDetection | undefined {
  const { modelId, chatTemplate, text, tools } = typeof traces === 'string' ? tracesOf(traces) : traces
  const format = modelId === undefined ? undefined : formatOfModel(modelId)
  if (format) return { protocol: format.id, by: 'modelId', alternatives: [] }
  const byTemplate = chatTemplate === undefined ? [] : best(nativeFormats, each => templateScore(each, chatTemplate))
  if (byTemplate[0]) return detection(byTemplate, 'chatTemplate')
  const byText = text === undefined ? [] : best(nativeFormats, each => textScore(each, text, tools ?? []))
  return byText[0] ? detection(byText, 'text') : undefined
}

function tracesOf(text: string): ProtocolTraces {
  if (/\{[{%]/.test(text)) return { chatTemplate: text }
  return /^[\w./:@+-]{1,200}$/.test(text) ? { modelId: text } : { text }
}

function detection(formats: readonly ModelFormat[], by: 'chatTemplate' | 'text'): ProtocolDetection {
  const [first, ...others] = formats.map(format => format.id)
  return { protocol: first ?? '', by, alternatives: others }
}

/** The formats of the highest score, if that is more than nothing. */
function best(formats: readonly ModelFormat[], score: (format: ModelFormat) => number): ModelFormat[] {
  const scores = formats.map(format => ({ format, score: score(format) }))
  const top = Math.max(...scores.map(each => each.score))
  return top > 0 ? scores.filter(each => each.score === top).map(each => each.format) : []
}

/** How many characters of the format's own marks the template holds; none unless it holds them all. */
function templateScore(format: ModelFormat, template: string): number {
  const call = { toolCallId: '', toolName: 'zz', input: { zz: 'zz' } }
  const sample = format.create().formatToolCall(call)
  const words = sample.replaceAll('><', '> <').split(/zz|[\s"'{}():,\\]+/)
  const marks = [...new Set(words.filter(word => /[<>[\]|`]/.test(word) && word.length > 2))]
  return marks.every(mark => template.includes(mark)) ? marks.join('').length : 0
}

/** How sure a format is that the text holds its calls: what it reads without a fault counts, and most behind a long mark. */
function textScore(format: ModelFormat, text: string, tools: readonly FunctionTool[]): number {
  const calls: CallEndEvent[] = []
  const protocol = format.create()
  const scanner = protocol.createScanner({
    tools,
    emit: event => {
      if (event.type === 'call-end') calls.push(event)
    },
  })
  scanner.feed(text)
  scanner.end()
  const names = new Set(tools.map(tool => tool.name))
  const isGood = (call: CallEndEvent) => !call.problem && (names.size === 0 || names.has(call.toolName))
  const good = calls.filter(isGood)
  if (good.length === 0 || good.length < calls.length) return 0
  // Bare forms are also read by formats whose own marks are missing here.
  const isMarked = good.every(call => !/^[\s{[\w]/.test(call.raw) || /^\[[A-Z_]+\]|^\w+\[/.test(call.raw))
  const chars = good.reduce((sum, call) => sum + call.raw.trim().length, 0)
  // Among those that read it, the one that would have written it so.
  const written = protocol.formatToolCalls?.(good.map(call => ({ ...call, toolCallId: '' })))
  const isOwn = written !== undefined && withoutSpace(text).includes(withoutSpace(written))
  return chars + (isMarked ? text.length : 0) + (isOwn ? 1 : 0)
}

const withoutSpace = (text: string) => text.replace(/\s+/g, '')
