import type { EmitEvent } from './events.js'
import type { ReasoningMark, ReasoningOptions } from './reasoning-marks.js'

export type TextOutput = ReturnType<typeof createTextOutput>

/** Longer whitespace between calls, or at the end of reasoning, is text and not markup. */
const MAX_PENDING_CHARS = 4096

/**
 * Routes text to `text` or `reasoning` events and drops whitespace that only separates calls.
 */
export function createTextOutput(thinking: ReasoningOptions, emit: EmitEvent) {
  let isReasoning = thinking.startsInReasoning
  /** Nothing was emitted since the beginning, a call or the last switch of reasoning. */
  let isEmpty = true
  /**
   * Whitespace that waits for what follows. At the beginning and after a call it is markup if
   * another call, or nothing, follows; around reasoning it always is (decision 3).
   */
  let pendingSpace = ''
  let dropsPendingSpace = false
  let hasCalled = false

  /** True inside reasoning that is emitted as such, and not as text. */
  const isSeparate = () => isReasoning && thinking.mode === 'parts'
  const emitReasoning = (text: string) => {
    const begun = isEmpty ? text.trimStart() : text
    const said = begun.trimEnd()
    const space = begun.slice(said.length)
    if (said) emit({ type: 'reasoning', text: isEmpty ? said : pendingSpace + said })
    pendingSpace = said || isEmpty ? space : pendingSpace + space
    isEmpty &&= said === ''
    for (
      ;
      pendingSpace.length > MAX_PENDING_CHARS;
      pendingSpace = pendingSpace.slice(MAX_PENDING_CHARS)
    ) {
      emit({ type: 'reasoning', text: pendingSpace.slice(0, MAX_PENDING_CHARS) })
    }
  }
  const emitText = (text: string) => {
    if (text === '') return
    if (!isEmpty) return emit({ type: 'text', text })
    pendingSpace += text
    if (pendingSpace.length <= MAX_PENDING_CHARS && !/\S/.test(text)) return
    isEmpty = false
    const whole = dropsPendingSpace ? pendingSpace.trimStart() : pendingSpace
    dropsPendingSpace = false
    pendingSpace = ''
    if (whole) emit({ type: 'text', text: whole })
  }
  /** Emits text as what it is at this place: text or reasoning. */
  const write = (text: string) => (isSeparate() ? emitReasoning(text) : emitText(text))
  /** Emits markup without meaning. Whitespace that waits before it is a part of it. */
  const emitMarkup = (raw: string, offset: number) => {
    emit({ type: 'markup', raw: pendingSpace + raw, offset: offset - pendingSpace.length })
    pendingSpace = ''
    if (isSeparate()) isEmpty = true
  }
  const leaveReasoning = () => {
    if (isSeparate()) pendingSpace = ''
    isEmpty ||= isSeparate()
    isReasoning = false
  }

  return {
    text: write,
    /** Reasoning begins or ends. */
    switchReasoning({ text, direction, isKept }: ReasoningMark, offset: number) {
      // `<think>so <think>`: inside reasoning its own open mark is a word like any other.
      const isWord = direction === 'in' && isSeparate() && !isEmpty
      if (direction === 'in') isReasoning = true
      if (isSeparate()) dropsPendingSpace = true
      if (isKept || isWord) write(text)
      else emitMarkup(text, offset)
      if (direction === 'out') leaveReasoning()
    },
    emitMarkup,
    /** A call begins: whitespace before it was markup. */
    beforeCall() {
      pendingSpace = ''
      isEmpty = true
      hasCalled = true
    },
    enterReasoning() {
      isReasoning = true
    },
    leaveReasoning,
    isReasoning: () => isReasoning,
    end() {
      if (isEmpty && pendingSpace && !hasCalled && !dropsPendingSpace)
        emit({ type: 'text', text: pendingSpace })
    },
  }
}
