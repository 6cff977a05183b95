import { asRecord, isRecord } from '../is-record.js'
import type { Message } from '../sdk/call-params.js'
import { OPTIONS_KEY } from '../sdk/own-metadata.js'
import { isText, type Part, type TextContent } from '../sdk/parts.js'

/** What is put between two texts of one message: the user's are paragraphs. */
const LINE = '\n'

const PARAGRAPH = '\n\n'

/**
 * A message with several texts in a row gets one: chat templates that take only strings refuse
 * lists.
 */
export function condenseMessage(message: Message): Message {
  const { content } = message
  if (typeof content === 'string') return message
  const condensed = condense(content, message.role === 'user' ? PARAGRAPH : LINE)
  return condensed.length === content.length ? message : { ...message, content: condensed }
}

/**
 * Neighbouring messages of one kind become one. What was said apart stays apart: the end of a
 * result may have no mark.
 */
export function joinRuns(
  messages: readonly Message[],
  isOfKind: (message: Message) => boolean,
): Message[] {
  const partsOf = ({ content }: Message) =>
    typeof content === 'string' ? textPart(content, []) : content
  return groupRuns(messages, isOfKind).flatMap(run => {
    if (run.length === 1) return run
    return Object.assign(
      {},
      ...run,
      { content: condense(run.flatMap(partsOf), PARAGRAPH) },
      mergedOptions(run),
    )
  })
}

/**
 * Neighbouring texts become one. Files keep their place, and so does a text with provider options
 * of its own, such as the end of a cached part.
 */
export function condense(parts: readonly Part[], gap = LINE): Part[] {
  const join = (left: string, { text }: TextContent) =>
    left === '' || text === '' || left.endsWith(gap) ? left + text : left + gap + text
  const isPlainText = (part: Part) =>
    isText(part) && Object.keys(mergedOptions([part])).length === 0
  const runs = groupRuns(parts, isPlainText)
  return runs.flatMap(run =>
    run.length > 1 ? textPart(run.filter(isText).reduce(join, ''), run) : run,
  )
}

/** The items in their order: neighbours of the one kind together, others each alone. */
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

/** A text with the provider options of what it is made of. */
export function textPart(text: string, sources: readonly object[]): TextContent {
  return { type: 'text', text, ...mergedOptions(sources) }
}

/**
 * The provider options of several messages or parts, provider by provider. Those of a result may
 * stand in its output.
 */
function mergedOptions(sources: readonly object[]): { providerOptions?: Record<string, unknown> } {
  const merged: Record<string, unknown> = {}
  for (const source of sources.flatMap(each => [
    each,
    'output' in each ? each.output : undefined,
  ])) {
    for (const [provider, options] of Object.entries(asRecord(asRecord(source).providerOptions))) {
      if (provider === OPTIONS_KEY) continue
      merged[provider] = isRecord(options) ? { ...asRecord(merged[provider]), ...options } : options
    }
  }
  return Object.keys(merged).length ? { providerOptions: merged } : {}
}
