import type { EmitEvent } from './events.js'
import type { ReasoningMark, ReasoningOptions } from './reasoning-marks.js'

/**
 * Space between calls or at the end of a thought that is longer than this is not markup but text.
 */
const MAX_PENDING_CHARS = 4096

/**
 * What is not a call: text and thoughts, and the space between them that is neither. It knows in
 * which voice the model speaks, and what of it stands for nothing.
 */
export function createTextOutput(thinking: ReasoningOptions, emit: EmitEvent) {
  let isReasoning = thinking.startsInReasoning
  /**
   * Nothing was said since the beginning, a call or a thought; or thought, since the thought began.
   */
  let isEmpty = true
  /**
   * Space that waits for what follows. At the beginning and behind a call it belongs to the markup
   * if another call, or nothing, follows; around a thought it always does.
   */
  let pendingSpace = ''
  let dropsPendingSpace = false
  let hasCalled = false

  /** True inside a thought that is told apart from text. */
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
  /** Gives out text of which only the place says whether it is said or thought. */
  const write = (text: string) => (isSeparate() ? emitReasoning(text) : emitText(text))
  /**
   * Tells of markup that stands for nothing. Space before it, where that waits, is a part of it.
   */
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
    /** A thought begins or ends. */
    switchReasoning({ text, direction, isKept }: ReasoningMark, offset: number) {
      // Inside a thought the mark of another one is a word like any other.
      const isWord = direction === 'in' && isSeparate() && !isEmpty
      if (direction === 'in') isReasoning = true
      if (isSeparate()) dropsPendingSpace = true
      if (isKept || isWord) write(text)
      else emitMarkup(text, offset)
      if (direction === 'out') leaveReasoning()
    },
    emitMarkup,
    /** A call begins: space before it was markup. */
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
