import { matchMarks } from '../text/read-marks.js'
import { type Verdict, verdictOf } from '../text/verdict.js'
import { ANY_TYPE, JsonType, type Shape } from '../values/shape.js'
import { attributesOf, matchOpenTag, type Tag } from './open-tag.js'
import { type ContainedTags, withoutLeadingSpace } from './raw-text.js'
import { wantsList } from './repeated-lists.js'

// Looks at the text around the tags of elements (see elements.ts). Each is a function of that text.

export const closeTag = (bracket: string, name: string) => `${bracket}/${name}>`

/** True for the tags that always are items of a list: `<item>`, `<0>`. */
export const isItemTag = (tag: string) => /^(?:item|\d+)$/.test(tag)

/** The marks and tags that can follow the text of an element. */
export interface AfterText {
  readonly bracket: string
  /** The close tag of the element: `</path>`. */
  readonly close: string
  readonly callClose: string
  /** After `</path>`: the close tag of an element around it, or a comment. */
  readonly afterClose: readonly string[]
  /** After `</write_file>`: the end of the section, or another call. */
  readonly afterCall: readonly string[]
  /** The names of the elements that may follow, its own included. Undefined if any may. */
  readonly siblings: readonly string[] | undefined
}

/**
 * Decides whether a mark ends the text of an element (decision 8). `after` is the text after the
 * mark, without leading whitespace.
 */
export function endsText(
  follow: AfterText,
  mark: string,
  after: string,
  contained: ContainedTags,
): Verdict {
  if (mark === follow.close) return endsAtClose(follow, after, contained)
  if (mark !== follow.callClose) return 'no'
  // `<path>a</path>b|</write_file>`: the close tag was in doubt before (decision 15).
  if (contained.hadClose) return 'yes'
  // `<path>a|</write_file><write_file>`: another call begins, so this one is over.
  return matchMarks(after, follow.afterCall)
}

/** `<path>a</path>|`: a close tag of an element around it follows, or another element. */
function endsAtClose(follow: AfterText, after: string, contained: ContainedTags): Verdict {
  const isClosed = matchMarks(after, follow.afterClose)
  if (isClosed === 'wait') return 'wait'
  if (isClosed === 'yes') {
    const isQuoted = contained.hadOpen ? isQuotedCallEnd(follow, after) : 'no'
    return isQuoted === 'wait' ? 'wait' : verdictOf(isQuoted === 'no')
  }
  const next = matchOpenTag(follow.bracket, after)
  if (next === 'wait') return 'wait'
  if (!next.name) return 'no'
  // `<content><content>a</content>|<b>`: text with such tags in it may go on with others, so the
  // next one must be one of the schema. Else the model may have made the argument up.
  if (!contained.hadOpen || !follow.siblings) return 'yes'
  return verdictOf(follow.siblings.includes(next.name))
}

/**
 * `<path>use <path>a</path>|</write_file></path>`: the end of a call that is quoted in the text,
 * but not from its beginning on. The text goes on after it.
 */
function isQuotedCallEnd({ callClose, close }: AfterText, after: string): Verdict {
  if (!after.startsWith(callClose)) return 'no'
  return matchMarks(withoutLeadingSpace(after.slice(callClose.length)), [close])
}

/** The content of an element. */
export type Content = 'empty' | 'text' | 'object' | 'list'

/** Decides what an element contains. `child` is the name of the tag after its own; '' if none. */
export function contentOf(tag: Tag, shape: Shape, child: string): Content {
  const { types, propertyNames } = shape
  // `<user name="Ann">`: in a text the attributes would be lost (decision 67).
  if (hasFields(tag, shape)) return 'object'
  // `<user/>`
  if (tag.isSelfClosing) return 'empty'
  if (child === '') return 'text'
  // `<user><name>`, `<tags><item>` (decision 31)
  const isItemOfList = isItemTag(child) && (types & JsonType.array) !== 0
  const isKnown = propertyNames.includes(child) || isItemOfList
  // `<note><b>`, where a string is allowed: markup in a text, unless the schema says nothing.
  const isLikely = types === ANY_TYPE || (types & JsonType.string) === 0
  if (!isKnown && !isLikely) return 'text'
  if ((types & JsonType.object) === 0) return (types & JsonType.array) === 0 ? 'object' : 'list'
  return isItemOfList ? 'list' : 'object'
}

/** True if the tag has attributes that are properties of the object: `<user name="Ann">`. */
function hasFields(tag: Tag, shape: Shape): boolean {
  return isObjectShape(shape) && attributesOf(tag, shape.propertyNames).length > 0
}

export const isObjectShape = ({ types }: Shape) => (types & JsonType.object) !== 0

/**
 * Decides whether an element is an item of the list that the schema has in its place. `text` begins
 * with its open tag.
 */
export function matchListItem(bracket: string, tag: Tag, shape: Shape, text: string): Verdict {
  const content = withoutLeadingSpace(text.slice(tag.length))
  const inner = matchOpenTag(bracket, content)
  if (inner === 'wait') return 'wait'
  // `<user><name>…</name></user>` for a list of users.
  if (inner.name) {
    const isPropertyOfItem = shape.item(0).propertyNames.includes(inner.name)
    return verdictOf(isPropertyOfItem && !shape.propertyNames.includes(inner.name))
  }
  if (wantsList(shape)) {
    // `<tag></tag>`, and `<tag>a</tag>` for a list of strings, but not `<tag>["a"]</tag>`.
    const isEmpty = matchMarks(content, [closeTag(bracket, tag.name)])
    if (isEmpty !== 'no') return isEmpty
    return verdictOf(!['[', bracket.charAt(0)].includes(content.charAt(0)))
  }
  // `<tag>a</tag><tag>b</tag>` where the schema allows something else too (decision 14).
  const [, after] = content.split(closeTag(bracket, tag.name), 2)
  if (after === undefined) return 'wait'
  const next = matchOpenTag(bracket, withoutLeadingSpace(after))
  return next === 'wait' ? 'wait' : verdictOf(next.name === tag.name)
}

/** An argument whose open tag is missing. */
export interface UntaggedArgument {
  /** '' if the text is not an argument. */
  readonly name: string
  readonly text: string
  /** How many characters it has, with its close tag. */
  readonly length: number
}

/**
 * Looks at a text whose open tag is missing: `|offerta.docx</path>`. MiniMax M3 writes the first
 * argument like that (decision 67).
 */
export function matchUntagged(
  bracket: string,
  propertyNames: readonly string[],
  content: string,
): UntaggedArgument | 'wait' {
  const [head = '', after = ''] = content.split(`${bracket}/`, 2)
  const [close, name = ''] = /^([^<>]*)>/.exec(after) ?? []
  if (close === undefined) return 'wait'
  // `]<]minimax[>[offerta.docx`: the special token before each tag may still be there.
  const specialToken = bracket.slice(0, -1)
  const text = head.startsWith(specialToken) ? head.slice(specialToken.length) : head
  const isArgument = propertyNames.includes(name) && !text.includes(specialToken)
  const length = head.length + closeTag(bracket, name).length
  return { name: isArgument ? name : '', text, length }
}

/** Decides whether an element is closed, and followed by another one or by one of the marks. */
export function matchClosedElement(
  bracket: string,
  tag: Tag,
  ends: readonly string[],
  text: string,
): Verdict {
  const close = closeTag(bracket, tag.name)
  const at = tag.isSelfClosing ? tag.length : text.indexOf(close)
  if (at < 0) return 'wait'
  const after = withoutLeadingSpace(text.slice(tag.isSelfClosing ? at : at + close.length))
  const isEnd = matchMarks(after, ends)
  if (isEnd !== 'no') return isEnd
  const next = matchOpenTag(bracket, after)
  return next === 'wait' ? 'wait' : verdictOf(next.name !== '')
}
