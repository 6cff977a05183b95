import type { EmitEvent } from './events.js'
import type { ThinkingOptions, TurnMark } from './thinking.js'

/**
 * Space between calls or at the end of a thought that is longer than this is not markup but text.
 */
const MAX_GAP_CHARS = 4096

/**
 * What is not a call: text and thoughts, and the space between them that is neither. It knows in
 * which voice the model speaks, and what of it stands for nothing.
 */
export function createVoice(thinking: ThinkingOptions, emit: EmitEvent) {
  let isThinking = thinking.startsInside
  /**
   * Nothing was said since the beginning, a call or a thought; or thought, since the thought began.
   */
  let isBlank = true
  /**
   * Space that waits for what follows. At the beginning and behind a call it belongs to the markup
   * if another call, or nothing, follows; around a thought it always does.
   */
  let gap = ''
  let dropsGap = false
  let hasCalled = false

  /** True inside a thought that is told apart from text. */
  const isApart = () => isThinking && thinking.mode === 'parts'
  const putThought = (text: string) => {
    const begun = isBlank ? text.trimStart() : text
    const said = begun.trimEnd()
    const space = begun.slice(said.length)
    if (said) emit({ type: 'reasoning', text: isBlank ? said : gap + said })
    gap = said || isBlank ? space : gap + space
    isBlank &&= said === ''
    for (; gap.length > MAX_GAP_CHARS; gap = gap.slice(MAX_GAP_CHARS)) {
      emit({ type: 'reasoning', text: gap.slice(0, MAX_GAP_CHARS) })
    }
  }
  const putText = (text: string) => {
    if (text === '') return
    if (!isBlank) return emit({ type: 'text', text })
    gap += text
    if (gap.length <= MAX_GAP_CHARS && !/\S/.test(text)) return
    isBlank = false
    const whole = dropsGap ? gap.trimStart() : gap
    dropsGap = false
    gap = ''
    if (whole) emit({ type: 'text', text: whole })
  }
  /** Gives out text of which only the place says whether it is said or thought. */
  const say = (text: string) => (isApart() ? putThought(text) : putText(text))
  /**
   * Tells of markup that stands for nothing. Space before it, where that waits, is a part of it.
   */
  const putMarkup = (raw: string, offset: number) => {
    emit({ type: 'markup', raw: gap + raw, offset: offset - gap.length })
    gap = ''
    if (isApart()) isBlank = true
  }
  const leaveThought = () => {
    if (isApart()) gap = ''
    isBlank ||= isApart()
    isThinking = false
  }

  return {
    say,
    /** A thought begins or ends. */
    turn({ text, turn, isKept }: TurnMark, offset: number) {
      // Inside a thought the mark of another one is a word like any other.
      const isWord = turn === 'in' && isApart() && !isBlank
      if (turn === 'in') isThinking = true
      if (isApart()) dropsGap = true
      if (isKept || isWord) say(text)
      else putMarkup(text, offset)
      if (turn === 'out') leaveThought()
    },
    putMarkup,
    /** A call begins: space before it was markup. */
    call() {
      gap = ''
      isBlank = true
      hasCalled = true
    },
    think() {
      isThinking = true
    },
    leaveThought,
    isThinking: () => isThinking,
    end() {
      if (isBlank && gap && !hasCalled && !dropsGap) emit({ type: 'text', text: gap })
    },
  }
}
