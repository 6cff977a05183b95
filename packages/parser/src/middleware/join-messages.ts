import { asRecord, isRecord } from '../is-record.js'
import type { Message } from '../sdk/call-params.js'
import { isOwnKey } from '../sdk/own-metadata.js'
import { isText, type Part, type TextContent } from '../sdk/parts.js'

/** The separator of two texts of one message. */
const LINE = '\n'
/** The separator of two texts of the user. */
const PARAGRAPH = '\n\n'

/** Joins neighbouring texts of a message. Many chat templates accept only one text. */
export function condenseMessage(message: Message): Message {
  const { content } = message
  if (typeof content === 'string') return message
  const condensed = condense(content, message.role === 'user' ? PARAGRAPH : LINE)
  return condensed.length === content.length ? message : { ...message, content: condensed }
}

/**
 * Joins neighbouring messages of one kind. A blank line separates their texts, since a result may
 * have no end mark.
 */
export function joinRuns(
  messages: readonly Message[],
  isOfKind: (message: Message) => boolean,
): Message[] {
  const partsOf = ({ content }: Message) =>
    typeof content === 'string' ? textPart(content, []) : content
  return groupRuns(messages, isOfKind).flatMap(run => {
    const [first, ...others] = run
    if (!first || others.length === 0) return run
    // Not `Object.assign({}, ...run)`: a function cannot have as many arguments as a conversation messages.
    const merged = others.reduce((all, message) => Object.assign(all, message), { ...first })
    return { ...merged, content: condense(run.flatMap(partsOf), PARAGRAPH), ...mergedOptions(run) }
  })
}

/**
 * Joins neighbouring texts. Files stay where they are, and so does a text with its own provider
 * options, such as the end of a cached prefix.
 */
export function condense(parts: readonly Part[], gap = LINE): Part[] {
  const isPlainText = (part: Part) =>
    isText(part) && Object.keys(mergedOptions([part])).length === 0
  const runs = groupRuns(parts, isPlainText)
  return runs.flatMap(run =>
    run.length > 1 ? textPart(joinTexts(run.filter(isText), gap), run) : run,
  )
}

/** Joins texts with a gap between two, unless the first ends with it. Empty texts are left out. */
function joinTexts(texts: readonly TextContent[], gap: string): string {
  const pieces: string[] = []
  /** The last characters of all pieces: reading them from the joined text would copy it each time. */
  let end = ''
  const add = (piece: string) => {
    pieces.push(piece)
    end = (end + piece.slice(-gap.length)).slice(-gap.length)
  }
  for (const { text } of texts) {
    if (text !== '' && pieces.length > 0 && end !== gap) add(gap)
    if (text !== '') add(text)
  }
  return pieces.join('')
}

/** Groups neighbours of one kind, in order. Every other item is a group of its own. */
export function groupRuns<Item>(
  items: readonly Item[],
  isOfKind: (item: Item) => boolean,
): Item[][] {
  const runs: Item[][] = []
  for (const item of items) {
    const last = runs.at(-1)
    if (last?.some(isOfKind) && isOfKind(item)) last.push(item)
    else runs.push([item])
  }
  return runs
}

/** A text part with the provider options of its sources. */
export function textPart(text: string, sources: readonly object[]): TextContent {
  return { type: 'text', text, ...mergedOptions(sources) }
}

/**
 * Merges the provider options of several messages or parts, provider by provider. A tool result may
 * have them in its `output`.
 */
function mergedOptions(sources: readonly object[]): { providerOptions?: Record<string, unknown> } {
  const merged: Record<string, unknown> = {}
  for (const source of sources.flatMap(each => [
    each,
    'output' in each ? each.output : undefined,
  ])) {
    for (const [provider, options] of Object.entries(asRecord(asRecord(source).providerOptions))) {
      if (isOwnKey(provider)) continue
      merged[provider] = isRecord(options) ? { ...asRecord(merged[provider]), ...options } : options
    }
  }
  return Object.keys(merged).length ? { providerOptions: merged } : {}
}
