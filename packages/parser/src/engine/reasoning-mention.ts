import { isInCode, type ReasoningEndSearch, readToReasoningEnd } from './reasoning-end.js'
import type { ReasoningMark } from './reasoning-marks.js'
import type { Reading } from './text/cursor.js'
import { advance, type LineContext } from './text/line-context.js'

/**
 * `Use |<think> to reason` An open mark of reasoning inside a line, or in a code block, may only be
 * mentioned. The text after it shows which of these it is (decision 80):
 *
 *     quoted             Write `<think>` first.        the mark is text, and so is what follows
 *     quoted-reasoning   ```⏎<think>hm</think>⏎```     all up to the close mark is text
 *     reasoning          Sure. <think>hm</think> So.   the mark opens reasoning
 *     unclosed           Use <think> to reason.        the mark is text; a call after it has to wait
 */
export type MentionMeaning = 'quoted' | 'quoted-reasoning' | 'reasoning' | 'unclosed'

export interface Mention {
  readonly mark: ReasoningMark
  /** What comes before it. */
  readonly context: LineContext
  /** As long as it is not known, or if too much would have to be held: that it is not closed. */
  meaning: MentionMeaning
}

/** What the mentions so far have shown. Without it, text would be searched once for each of them. */
export interface MentionHistory {
  /** `Use <think> to |reason` Up to here no close mark was found: no mark before it has one. */
  unclosedUntil: number
  /** The code block in which no close mark was found, by its number. */
  unclosedBlock: number
  /** `Sure. <think>hm|</think>` The place of the close mark that was found. */
  closeOffset: number
  /** `Sure. <think>|` The reasoning began inside a line. */
  hasOpenedInLine: boolean
}

export const createMentionHistory = (): MentionHistory => ({
  unclosedUntil: 0,
  unclosedBlock: 0,
  closeOffset: 0,
  hasOpenedInLine: false,
})

/** True for a mark that may only be mentioned: `Use |<think>`, but not `Hi.⏎|<think>`. */
export const isMentioned = (mark: ReasoningMark, context: LineContext): boolean =>
  mark.isMentionable && (!context.isLineStart || isInBlock(context))

const isInBlock = ({ fence }: LineContext) => fence !== ''

export const createMention = (mark: ReasoningMark, context: LineContext): Mention => ({
  mark,
  context: { ...context },
  meaning: isInBlock(context) ? 'quoted' : 'unclosed',
})

/** Reads the text after a mention, as far as that is necessary to say what it means. */
export function readMention(
  mention: Mention,
  history: MentionHistory,
  search: ReasoningEndSearch,
  splitsReasoning: boolean,
): Reading<MentionMeaning> {
  if (isInBlock(mention.context)) return readInBlock(mention, history, search)
  return readInLine(mention, history, search, splitsReasoning)
}

/** "```⏎<think>|hm</think>⏎```" */
function* readInBlock(
  mention: Mention,
  { unclosedBlock }: MentionHistory,
  search: ReasoningEndSearch,
): Reading<MentionMeaning> {
  // "```⏎<think> or <think>|⏎```"
  if (mention.context.blockCount === unclosedBlock) return 'quoted'
  return (yield* isClosed(mention, search)) ? 'quoted-reasoning' : 'quoted'
}

/** `Sure. <think>|hm</think>` */
function* readInLine(
  mention: Mention,
  { unclosedUntil }: MentionHistory,
  search: ReasoningEndSearch,
  splitsReasoning: boolean,
): Reading<MentionMeaning> {
  const { cursor } = search
  // "Write `<think>|` first."
  if (yield* isInCode(cursor, mention.context)) return 'quoted'
  // `Use <think>| to reason`: where reasoning is text, nothing has to be held.
  if (!splitsReasoning) return 'unclosed'
  // `Use <think> or <think>| to reason`
  if (cursor.windowOffset + cursor.at <= unclosedUntil) return 'unclosed'
  return (yield* isClosed(mention, search)) ? 'reasoning' : 'unclosed'
}

/** Reads up to the close mark of a mention. Returns false if it has none. */
function* isClosed({ mark, context }: Mention, search: ReasoningEndSearch): Reading<boolean> {
  const after = { ...context }
  advance(after, mark.text)
  return yield* readToReasoningEnd(search, after)
}

/** Keeps what a mention has shown. `offset` is where its reader has stopped. */
export function rememberMention(
  history: MentionHistory,
  { context, meaning }: Mention,
  offset: number,
): void {
  if (isInBlock(context)) {
    if (meaning === 'quoted') history.unclosedBlock = context.blockCount
    return
  }
  if (meaning === 'quoted') return
  history.hasOpenedInLine = true
  if (meaning === 'reasoning') history.closeOffset = offset
  else history.unclosedUntil = Math.max(history.unclosedUntil, offset)
}

/** "Sure. <think>the tag `|</think>` ends it</think>" The close mark of the mention comes later. */
export const isQuotedClose = (
  { direction }: ReasoningMark,
  offset: number,
  { closeOffset }: MentionHistory,
): boolean => direction === 'out' && offset < closeOffset
