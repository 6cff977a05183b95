import type { EmitEvent } from './events.js'
import type { ThinkingOptions, TurnMark } from './thinking.js'

/** Space between calls that is longer than this is not markup but text. */
const MAX_GAP_CHARS = 4096

/**
 * What is not a call: text and thoughts, and the space between them that is neither. It knows in which voice the model speaks,
 * and what of it stands for nothing.
 */
export function createVoice(thinking: ThinkingOptions, emit: EmitEvent) {
  const isTold = thinking.mode === 'parts'
  let isThinking = thinking.startsInside
  /** True at the beginning and behind a call: space there belongs to the markup if another call, or nothing, follows. */
  let isGap = true
  let gap = ''
  /** The space behind a thought is markup, whatever follows. */
  let dropsGap = false
  let hasCalled = false
  const thoughts = createThoughts(emit)

  const emitText = (text: string) => {
    if (text === '') return
    if (!isGap) return emit({ type: 'text', text })
    gap += text
    if (gap.length <= MAX_GAP_CHARS && !/\S/.test(text)) return
    isGap = false
    const whole = dropsGap ? gap.trimStart() : gap
    dropsGap = false
    gap = ''
    if (whole) emit({ type: 'text', text: whole })
  }
  /** Gives out text of which only the place says whether it is said or thought. */
  const say = (text: string) => (isThinking && isTold ? thoughts.put(text) : emitText(text))
  /** Tells of markup that stands for nothing. Space before it, where nothing was said, is a part of it. */
  const putMarkup = (raw: string, offset: number) => {
    thoughts.end()
    emit({ type: 'markup', raw: gap + raw, offset: offset - gap.length })
    gap = ''
  }
  const leaveThought = () => {
    isThinking = false
    thoughts.end()
    if (isTold) isGap = true
  }

  return {
    say,
    /** A thought begins or ends. */
    turn({ text, turn, isKept }: TurnMark, offset: number) {
      const isText = isKept || (turn === 'in' && isThinking && !thoughts.isBlank())
      if (turn === 'in') isThinking = true
      if (isText) say(text)
      else {
        if (isThinking && isTold) dropsGap = true
        putMarkup(text, offset)
      }
      if (turn === 'out' && isThinking) leaveThought()
    },
    putMarkup,
    /** A call begins: space before it was markup. */
    call() {
      thoughts.end()
      gap = ''
      isGap = true
      hasCalled = true
    },
    think() {
      isThinking = true
    },
    leaveThought,
    isThinking: () => isThinking,
    /** Nothing was said since the beginning, or since the last call. */
    isBlank: () => isGap,
    end() {
      if (isGap && gap && !hasCalled && !dropsGap) emit({ type: 'text', text: gap })
    },
  }
}

/** Gives out thoughts without the space around them. */
function createThoughts(emit: EmitEvent) {
  let space = ''
  let isBlank = true
  return {
    put(text: string) {
      const begun = isBlank ? text.trimStart() : space + text
      const whole = begun.trimEnd()
      space = begun.slice(whole.length)
      if (whole === '') return
      isBlank = false
      emit({ type: 'reasoning', text: whole })
    },
    /** The thought is over; the next one begins anew. */
    end() {
      space = ''
      isBlank = true
    },
    isBlank: () => isBlank,
  }
}
