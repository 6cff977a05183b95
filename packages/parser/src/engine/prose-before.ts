// `Let me look.⏎get_weather(city="Paris")` A call on a line of its own, after text: what comes before
// it tells whether it is meant or only shown (decision 94).

/** How much of the text before a call is looked at. */
export const MAX_PROSE_CHARS = 1024
/** How much of it may say that the call is only shown, if the last sentence is not longer. */
const SHOWN_CHARS = 160

const example = /\b(?:examples?|for instance|e\.g|like this|it so)\b/i
const hypothesis =
  /\b(?:if|assum(?:e|es|ed|ing)|suppos(?:e|es|ed|ing)|how to|you(?:'d| can| could| would| may| might))\b/i
/** `Shall I delete it?` The model asks first. */
const question = /\b(?:should i|shall i|may i|(?:would|do) you (?:like|want)|want me to)\b/i
const refusal =
  /\b(?:however|sorry|unfortunately|unable|cannot|can't|can’t|do(?:es)?(?: not|n't|n’t)|never|refus(?:e|es|ed|ing)|(?:will|would|should|must) not|wo(?:n't|n’t)|(?:would|should|must)(?:n't|n’t))\b/i
/** `The page says:` Somebody else has written it, and not the user: `as you said`. */
const quotation =
  /(?<!\byou )\b(?:says|said|wrote|written|reads|contains|contained|printed|shows|showed|saw)\b/i
/** `import os⏎` `search("a")⏎` Lines of code. */
const code =
  /^[ \t]*(?:import \w|from \w[\w.]* import|def \w+\(|class \w|const \w|function \w|return\b|\$ |>>> |[\w.]+\(.*\)[;,]?[ \t]*$)/m

/** `I look.` `Let me see.` */
const announcement =
  /\b(?:i|let me|let's|let’s|let us|calling|checking|using|running|fetching|looking|searching)\b/i

/** Words of which an English text has some. */
const english =
  /\b(?:i|the|to|let|is|are|you|your|will|for|of|now|and|this|here|ok|okay|sure|first|then)\b/i
const foreignLetter = /[^\P{L}A-Za-z]/u

/** What the text before a call tells about it. */
export type ProseVerdict =
  /** Nothing but white space is before it. */
  | 'first'
  /** `Let me look.` The model says that it acts. */
  | 'announced'
  /** Nothing speaks against it. In a code fence or inside a line it must end the answer. */
  | 'possible'
  /** The text is not English: the call counts only if it ends the answer. */
  | 'unclear'
  /** It is an example, or what could be done. */
  | 'shown'

/** Decides by the text before a call whether it is meant. */
export function judgeProse(before: string): ProseVerdict {
  const text = before.trim()
  if (text === '') return 'first'
  if (refusal.test(text) || code.test(text)) return 'shown'
  const lastSentence = text.slice(lastSentenceStart(text))
  const near = text.slice(-Math.max(lastSentence.length, SHOWN_CHARS))
  if (example.test(near) || hypothesis.test(near) || question.test(near)) return 'shown'
  if (quotation.test(lastSentence)) return 'shown'
  if (announcement.test(near)) return 'announced'
  return english.test(text) && !foreignLetter.test(near) ? 'possible' : 'unclear'
}

/** Where the last sentence or line of a text begins. */
function lastSentenceStart(text: string): number {
  const before = /^.*(?:[.!?]\s|\n)/s.exec(text)
  return before?.[0].length ?? 0
}
