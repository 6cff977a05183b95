import { type Verdict, verdictOf } from '../text/verdict.js'
import { matchOpenTag } from './open-tag.js'

// Models mix the formats that they know: the tag of a call from one, the tags of its arguments from
// another (decision 82):
//
//     <invoke name="write_file"><path>a.ts</path></invoke>
//     <function=write_file><parameter name="path">a.ts</parameter></function>
//     <function=write_file><parameter>path</parameter>⏎a.ts⏎</parameter></function>

/** The tags of an argument. */
export interface ArgumentTags {
  /** `<parameter=`, `<arg_key>` */
  readonly open: string
  /** The text after the key. */
  readonly keyEnd: string
  /** The end of the open tag, after its attributes; or the tag of the value: `<arg_value>`. */
  readonly headEnd?: string
  readonly close: string
  /** `<parameter>path</parameter>⏎a.ts`: models write this one without a close tag, too. */
  readonly mayLackClose?: boolean
}

const attributeTag = (bracket: string, tag: string): ArgumentTags => ({
  open: `${bracket}${tag} name="`,
  keyEnd: '"',
  headEnd: '>',
  close: `${bracket}/${tag}>`,
})

/** `<parameter name="path">`, with the text before each tag of the format. */
const attributeTags = (bracket: string) => [
  attributeTag(bracket, 'parameter'),
  attributeTag(bracket, 'param'),
]

const allTags: readonly ArgumentTags[] = [
  { open: '<parameter=', keyEnd: '>', close: '</parameter>' },
  ...attributeTags('<'),
  { open: '<arg_key>', keyEnd: '</arg_key>', headEnd: '<arg_value>', close: '</arg_value>' },
  { open: '<parameter>', keyEnd: '</parameter>', close: '</parameter>', mayLackClose: true },
]

/** How the arguments of a call are written. `elements`: `<path>a.ts</path>`. */
export type Notation = ArgumentTags | 'elements' | 'unknown'

/**
 * Finds the notation of the argument that a text begins with: `|<parameter name="path">`. Only a
 * declared argument counts, so that other markup is not mistaken for one.
 */
export function matchNotation(text: string, names: readonly string[]): Notation | 'wait' {
  const verdicts = allTags.map(tags => ({ tags, verdict: startsArgument(text, tags, names) }))
  const found = verdicts.find(({ verdict }) => verdict === 'yes')
  if (found) return found.tags
  const tag = matchOpenTag('<', text)
  if (tag === 'wait' || verdicts.some(({ verdict }) => verdict === 'wait')) return 'wait'
  return names.includes(tag.name) ? 'elements' : 'unknown'
}

/** `]<]minimax[>[|<parameter name="city">` Finds attribute tags in a format of elements. */
export function matchAttributeTags(
  text: string,
  bracket: string,
  names: readonly string[],
): ArgumentTags | 'none' | 'wait' {
  const verdicts = attributeTags(bracket).map(tags => ({
    tags,
    verdict: startsArgument(text, tags, names),
  }))
  const found = verdicts.find(({ verdict }) => verdict === 'yes')
  if (found) return found.tags
  return verdicts.some(({ verdict }) => verdict === 'wait') ? 'wait' : 'none'
}

/** Tells whether a text begins with the open tag of a declared argument. */
function startsArgument(text: string, tags: ArgumentTags, names: readonly string[]): Verdict {
  const { open, keyEnd } = tags
  if (!text.startsWith(open)) return open.startsWith(text) ? 'wait' : 'no'
  const head = text.slice(open.length)
  const end = head.indexOf(keyEnd)
  if (end >= 0) return verdictOf(names.includes(head.slice(0, end).trim()))
  return /[\n>]/.test(head) ? 'no' : 'wait'
}
