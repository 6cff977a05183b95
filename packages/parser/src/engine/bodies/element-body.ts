import type { CallGrammar } from '../body.js'
import { lookAhead } from '../marks.js'
import { isAtMark } from '../match-marks.js'
import type { Shape } from '../shape.js'
import { Token } from '../value-token.js'
import { createElementReader } from './element-reader.js'
import { CUT, malformed } from './markup.js'
import { type TagCallGrammar, tagCalls } from './tag-call.js'
import { readTag } from './tag-reader.js'

/**
 * Calls in tags whose arguments are elements, and so are the parts of an argument:
 *
 *     <write_file>
 *       <path>a.html</path>
 *       <content>
 *     <p>if (a<b) & so on</p>
 *       </content>
 *     </write_file>
 *
 * Strings are raw text (see raw-text.ts); `<![CDATA[…]]>` is read back as the text that it holds. An object or a list may
 * also be written as JSON.
 */
export interface ElementGrammar extends TagCallGrammar {
  /** What every tag begins with. */
  readonly bracket: string
  /** A text is all that stands between its tags: neither line breaks around it nor CDATA are markup. */
  readonly isVerbatim?: boolean | undefined
}

/** Space behind a brace that is more than this tells enough. */
const MAX_SPACE_CHARS = 256

const mayHold = (shape: Shape, tag: string) => shape.isOpen || shape.propertyNames.includes(tag)

/** JSON in place of the arguments. A brace alone proves nothing. */
const startsObject = (text: string): boolean | undefined => {
  const [head, next] = /^\{\s*(\S?)/.exec(text.slice(0, MAX_SPACE_CHARS)) ?? []
  return head !== undefined && next === '' && head.length < MAX_SPACE_CHARS ? undefined : /^["'}]/.test(next ?? '')
}

/** Calls in tags, with elements as arguments. */
export function elementArgumentCalls(grammar: ElementGrammar): CallGrammar {
  const { bracket, name: toolTag } = grammar
  return tagCalls(grammar, function* (cursor, { tools, maxHeldChars }, { shape, ends, opens, ...call }) {
    const tag = toolTag === undefined ? { attributes: [], isSelfClosing: false } : yield* readTag(cursor)
    if (!tag) return malformed('no tag')
    const { attributes, isSelfClosing } = tag
    const { nextTag, readChildren, beginObject } = createElementReader(cursor, {
      ...grammar,
      sink: (token, text) => call.commit().put(token, text),
      maxHeldChars,
      ends,
      isOver: behind => isAtMark(behind, [...ends.slice(1), ...opens]),
    })
    if (isSelfClosing) {
      beginObject(shape, attributes)
      call.commit().put(Token.endObject, '')
      return undefined
    }
    const first = yield* nextTag()
    if (first === undefined) return CUT
    if (first.type === 'text' && (yield* lookAhead(cursor, startsObject))) return yield* call.readObject()
    const isArgument = (name: string) =>
      toolTag === undefined ? shape.propertyNames.includes(name) : mayHold(shape, name)
    const isOwn = (name: string) => toolTag === undefined || isArgument(name) || mayHold(tools.shapeOf(toolTag), name)
    const isEnd = ends.includes(`${bracket}/${first.name}>`)
    if (!call.isCommitted() && !(first.type === 'child' ? isOwn(first.name) : isEnd))
      return malformed('text between the arguments')
    // Another tool's tag, or this one's again, where an argument should be: the call was not closed.
    const openTags = opens.map(open => /^[^\s>]*/.exec(open.slice(bracket.length))?.[0])
    const isOtherCall = (name: string) => openTags.includes(name) && !isArgument(name)
    const rootTag = grammar.call.close.slice(bracket.length + 1, -1)
    return yield* readChildren({ tag: rootTag, shape, isObject: true, attributes }, isOtherCall)
  })
}

/** Calls as elements whose tag is the tool's name. */
export const elementCalls: CallGrammar = context => {
  const names = context.tools.names()
  const otherOpens = names.map(name => `<${name}`)
  return names.flatMap(name => {
    const call = { open: `<${name}`, close: `</${name}>` }
    return elementArgumentCalls({ call, name, otherOpens, bracket: '<' })(context)
  })
}
