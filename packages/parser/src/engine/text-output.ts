import type { EmitEvent } from './events.js'
import { MAX_PROSE_CHARS } from './prose-before.js'
import type { ReasoningMark, ReasoningOptions } from './reasoning-marks.js'
import { isSpace } from './text/characters.js'

export type TextOutput = ReturnType<typeof createTextOutput>

/** Longer whitespace between calls, or at the end of reasoning, is text and not markup. */
const MAX_PENDING_CHARS = 4096

/** What was emitted last, and the whitespace that waits for what follows. */
interface Spacing {
  readonly emit: EmitEvent
  /** Nothing was emitted since the beginning, a call or the last switch of reasoning. */
  isEmpty: boolean
  /**
   * Whitespace that waits for what follows. At the beginning and after a call it is markup if
   * another call, or nothing, follows; around reasoning it always is (decision 3).
   */
  pendingSpace: string
  dropsPendingSpace: boolean
  /** `Sure.|<think>…</think> Here`: whitespace after the reasoning keeps two words apart. */
  endsWithWord: boolean
  /** The text since the last call, or the end of it, in pieces. */
  readonly recent: string[]
}

/**
 * Routes text to `text` or `reasoning` events and drops whitespace that only separates calls.
 */
export function createTextOutput(thinking: ReasoningOptions, emit: EmitEvent) {
  const spacing: Spacing = {
    emit,
    isEmpty: true,
    pendingSpace: '',
    dropsPendingSpace: false,
    endsWithWord: false,
    recent: [],
  }
  const isSplit = thinking.mode === 'parts'
  let isReasoning = thinking.startsInReasoning
  /** `Use <think>| to reason`: what follows may be reasoning, and is emitted as text. */
  let isUnclosed = false
  let hasCalled = false

  /** True inside reasoning that is emitted as such, and not as text. */
  const isSeparate = () => isSplit && isReasoning && !isUnclosed
  /** Emits text as what it is at this place: text or reasoning. */
  const write = (text: string) => (isSeparate() ? writeReasoning : writeText)(spacing, text)
  /** Emits markup without meaning. Whitespace that waits before it is a part of it. */
  const emitMarkup = (raw: string, offset: number) => {
    const { pendingSpace } = spacing
    emit({ type: 'markup', raw: pendingSpace + raw, offset: offset - pendingSpace.length })
    spacing.pendingSpace = ''
    if (isSeparate()) spacing.isEmpty = true
  }
  const leaveReasoning = () => {
    if (isSeparate()) Object.assign(spacing, { pendingSpace: '', isEmpty: true })
    isReasoning = false
    isUnclosed = false
  }

  return {
    text: write,
    /** Reasoning begins or ends. */
    switchReasoning({ text, direction, isKept }: ReasoningMark, offset: number) {
      // `<think>so <think>`: inside reasoning its own open mark is a word like any other.
      const isWord = direction === 'in' && isSeparate() && !spacing.isEmpty
      // `Use <think> and |<think>`
      const isText = isUnclosed && isSplit
      if (direction === 'in') isReasoning = true
      if (isSeparate()) spacing.dropsPendingSpace = true
      if (isKept || isWord || isText) write(text)
      else emitMarkup(text, offset)
      if (direction === 'out') leaveReasoning()
    },
    /**
     * Reasoning may begin here. What follows is emitted as text, because that is what reasoning is
     * in this mode, or because no close mark follows (decision 80).
     */
    openUnclosed({ text, isKept }: ReasoningMark, offset: number) {
      isReasoning = true
      isUnclosed = true
      if (isKept || isSplit) write(text)
      else emitMarkup(text, offset)
    },
    emitMarkup,
    /** A call begins: whitespace before it was markup. */
    beforeCall() {
      Object.assign(spacing, { pendingSpace: '', isEmpty: true, endsWithWord: false })
      spacing.recent.length = 0
      hasCalled = true
    },
    enterReasoning() {
      isReasoning = true
    },
    leaveReasoning,
    isReasoning: () => isReasoning,
    isUnclosed: () => isUnclosed,
    /** The text since the last call, as far as it may tell what the next one means. */
    recentText: () => recentText(spacing),
    end() {
      const { isEmpty, pendingSpace, dropsPendingSpace } = spacing
      if (isEmpty && pendingSpace && !hasCalled && !dropsPendingSpace)
        emit({ type: 'text', text: pendingSpace })
    },
  }
}

function writeReasoning(spacing: Spacing, text: string): void {
  const { emit, isEmpty } = spacing
  const begun = isEmpty ? text.trimStart() : text
  const said = begun.trimEnd()
  const space = begun.slice(said.length)
  if (said) emit({ type: 'reasoning', text: isEmpty ? said : spacing.pendingSpace + said })
  spacing.pendingSpace = said || isEmpty ? space : spacing.pendingSpace + space
  spacing.isEmpty &&= said === ''
  for (
    ;
    spacing.pendingSpace.length > MAX_PENDING_CHARS;
    spacing.pendingSpace = spacing.pendingSpace.slice(MAX_PENDING_CHARS)
  ) {
    emit({ type: 'reasoning', text: spacing.pendingSpace.slice(0, MAX_PENDING_CHARS) })
  }
}

const endsWithWord = (text: string) => !isSpace(text.charAt(text.length - 1))

function writeText(spacing: Spacing, text: string): void {
  if (text === '') return
  if (!spacing.isEmpty) {
    emitText(spacing, text)
    return
  }
  spacing.pendingSpace += text
  if (spacing.pendingSpace.length <= MAX_PENDING_CHARS && !/\S/.test(text)) return
  const isDropped = spacing.dropsPendingSpace && !spacing.endsWithWord
  const whole = isDropped ? spacing.pendingSpace.trimStart() : spacing.pendingSpace
  spacing.isEmpty = false
  spacing.dropsPendingSpace = false
  spacing.pendingSpace = ''
  if (whole) emitText(spacing, whole)
}

const recentText = ({ recent }: Spacing) => recent.join('').slice(-MAX_PROSE_CHARS)

function emitText(spacing: Spacing, text: string): void {
  spacing.endsWithWord = endsWithWord(text)
  const { recent } = spacing
  const isLong = text.length > MAX_PROSE_CHARS
  // No piece is empty, so the last ones have enough characters.
  if (isLong) recent.length = 0
  else if (recent.length > 2 * MAX_PROSE_CHARS) recent.splice(0, MAX_PROSE_CHARS)
  recent.push(isLong ? text.slice(-MAX_PROSE_CHARS) : text)
  spacing.emit({ type: 'text', text })
}
