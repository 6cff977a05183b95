import type { Body, CallGrammar, CallPort } from '../body.js'
import { isSpace } from '../characters.js'
import { isAtMark, matchMarks, withoutPrefix } from '../match-marks.js'
import { createRawText, type RawText } from '../raw-text.js'
import { ANY_KIND, Kind, type Shape } from '../shape.js'
import { unescaped } from '../unescaped.js'
import { Token, type ValueSink } from '../value-token.js'
import { createJsonBody } from './json-body.js'
import { CUT, createMarkup } from './markup.js'
import { type SectionPort, sectionCalls } from './section-body.js'
import { createJsonContent, type ValueContent } from './value-content.js'

/**
 * Calls in tags that hold the names of the tool and of its arguments, with each argument as raw text:
 *
 *     <tool_call>
 *     <function=write_file>
 *     <parameter=path>
 *     a.ts
 *     </parameter>
 *     </function>
 *     </tool_call>
 */
export interface TaggedGrammar {
  /** What stands around one call or several. */
  readonly section?: { readonly open: string; readonly close: string } | undefined
  /** `<function=` name `>`, or `<invoke name="` name `"` attributes `>`. Without `nameEnd` a name ends at a space or a tag. */
  readonly call: { readonly open: string; readonly nameEnd?: string; readonly headEnd?: string; readonly close: string }
  readonly argument: {
    readonly open: string
    readonly keyEnd: string
    readonly headEnd?: string
    readonly close: string
  }
  /** Marks in a section that mean nothing. */
  readonly fillers?: readonly string[] | undefined
  /** A line break behind an argument's open tag is markup, and then so is one before its close tag. */
  readonly hasBlocks?: boolean | undefined
  /** Text may stand in a CDATA section. */
  readonly hasSections?: boolean | undefined
  /** What the attributes of an argument's tag say of it: text, JSON, or nothing. */
  readonly isText?: ((attributes: string) => boolean | undefined) | undefined
  /** An argument of which the schema says nothing is text, whatever it looks like. */
  readonly isSilentText?: boolean | undefined
  /** The tool that is meant, where its name may be written in another way too. */
  readonly toolName?: ((written: string, isTool: (name: string) => boolean) => string) | undefined
}

/** Names, keys and attributes that are longer than this are none. */
const MAX_HEAD_CHARS = 512

const wrapperKeys = new Set(['arguments', 'parameters', 'properties', 'input'])

// Where the body stands.
const NAME = 0 //     <function=f|>
const HEAD = 1 //     <invoke name="f"| a="b">
const ARGS = 2 //     <function=f> | <parameter=a>
const KEY = 3 //      <parameter=a|>
const KEY_HEAD = 4 // <parameter name="a"| string="true">
const VALUE = 5 //    <parameter=a>te|xt</parameter>
const OBJECT = 6 //   <function=f>{"a|": 1}</function>

interface BodyOptions extends TaggedGrammar {
  readonly forcedToolName: string | undefined
  readonly around: SectionPort
}

function createTaggedBody(port: CallPort, grammar: BodyOptions): Body {
  const { section, call, argument, forcedToolName, around } = grammar
  const callEnds = [call.close, ...(section ? [section.close] : [])]
  const callStarts = [call.open, ...(section ? [section.open] : [])]
  let state = NAME
  let name = ''
  let shape: Shape = port.tools.shapeOf('')
  const given = new Set<string>()
  /** A name, a key, attributes, or what may be a tag. */
  let held = ''
  let key = ''
  let text: RawText | undefined
  let putValue: ValueSink = () => {}
  let json: ValueContent | undefined
  /** The arguments were given as one object. */
  let isPlaced = false
  const { writer, closeLast, leave, ...markup } = createMarkup(port, {
    forcedToolName,
    ends: [call.close],
    opens: callStarts,
    onClose(problem) {
      const { put } = commit()
      if (problem || isPlaced) return
      if (given.size === 0) put(Token.beginObject, '')
      put(Token.endObject, '')
    },
  })
  const commit = () => markup.openCall(name)
  const breakOff = (message: string, unread: string) => {
    if (!writer()) return leave()
    const rest = markup.breakOff(message, unread)
    // The mark of the next call is read where it belongs: outside.
    if (body.giveBack()) markup.unread(rest.length)
    else around.readAgain(rest)
  }
  const endName = () => {
    // Some servers write line breaks as two characters.
    const written = held.trim().replace(/(?:\\n)+$/, '')
    name = grammar.toolName?.(written, port.tools.has) ?? written
    held = ''
    if (name === '') return leave()
    shape = port.tools.shapeOf(forcedToolName ?? name)
    state = call.headEnd === undefined ? ARGS : HEAD
    if (call.nameEnd !== undefined && port.tools.has(name)) commit()
  }
  const readName = (chunk: string, at: number): number => {
    const char = chunk.charAt(at)
    if (call.nameEnd === undefined && held && (isSpace(char) || char === '<' || char === '{')) {
      endName()
      return at
    }
    held += char
    if (call.nameEnd !== undefined && held.endsWith(call.nameEnd)) {
      held = held.slice(0, -call.nameEnd.length)
      endName()
    } else if (held.length > MAX_HEAD_CHARS || /[\n<>{]/.test(withoutPrefix(held, call.nameEnd).trim())) leave()
    return at + 1
  }
  /** Reads up to the end of a tag; what stands before that are its attributes. */
  const readHead = (char: string, end: string, then: (attributes: string) => void) => {
    held += char
    if (held.length > MAX_HEAD_CHARS) return breakOff('a tag without an end', held)
    if (!held.endsWith(end)) return
    const attributes = held.slice(0, -end.length)
    held = ''
    then(attributes)
  }
  /** A character between a key and its value, or in the tag of a key. */
  const readKeyHead = (char: string) => {
    const { headEnd = '' } = argument
    const mark = held.trimStart() + char
    const isValueless = headEnd.startsWith('<') && [argument.open, ...callEnds, ...callStarts].includes(mark)
    if (!isValueless) return readHead(char, headEnd, beginValue)
    port.report({ code: 'malformed-arguments', message: `the argument ${JSON.stringify(key)} has no value` })
    held = ''
    state = ARGS
    readAgain(mark)
  }
  /** A character between the arguments. */
  const readArgs = (char: string) => {
    if (held === '' && isSpace(char)) return
    held += char
    if (held === '{' && given.size === 0) return beginObject()
    const match = matchMarks(held, [argument.open, ...callEnds, ...callStarts])
    if (match === 'maybe') return
    if (match === 'none') return breakOff('text between the arguments', held)
    if (held === argument.open) {
      commit()
      held = ''
      state = KEY
    } else if (callStarts.includes(held)) {
      if (writer()) closeLast(held.length)
      else leave()
    } else {
      closeLast()
      // The call's own close tag may be missing.
      if (held === section?.close) around.end()
    }
  }
  const readKey = (char: string) => {
    held += char
    if (held.length > MAX_HEAD_CHARS) return breakOff('an argument without a name', held)
    if (!held.endsWith(argument.keyEnd)) return
    key = held.slice(0, -argument.keyEnd.length).trim()
    held = ''
    if (argument.headEnd === undefined) beginValue('')
    else state = KEY_HEAD
  }
  const declares = (name: string) => shape.propertyNames.length === 0 || shape.propertyNames.includes(name)
  const beginValue = (attributes: string) => {
    const { put } = commit()
    if (isPlaced || given.has(key)) return breakOff(`the argument ${JSON.stringify(key)} is given twice`, '')
    // Some models put all of the arguments into one.
    isPlaced = given.size === 0 && wrapperKeys.has(key) && !declares(key)
    if (given.size === 0 && !isPlaced) put(Token.beginObject, '')
    given.add(key)
    if (!isPlaced) put(Token.key, key)
    const valueShape = isPlaced ? shape : shape.property(key)
    const isSilent = valueShape.kinds === ANY_KIND
    const isText = grammar.isText?.(attributes) ?? (isSilent && grammar.isSilentText)
    put(isText && !isPlaced && (isSilent || valueShape.kinds & Kind.string) ? Token.beginQuoted : Token.beginRaw, '')
    putValue = valueShape.kinds & Kind.string && !isSilent ? put : unescaped(put)
    const isScalar = !(valueShape.kinds & (Kind.string | Kind.object | Kind.array))
    text = createRawText({
      sink: putValue,
      close: argument.close,
      open: '\0',
      stops: [argument.open, ...callEnds],
      isVerbatim: !grammar.hasBlocks,
      maySection: grammar.hasSections,
      maxHeldChars: port.maxHeldChars,
      canFollow: behind => isScalar || isAtMark(behind, [argument.open, ...callEnds, ...callStarts]),
      canStop: (behind, stop) => isScalar || canStop(behind, stop),
    })
    state = VALUE
  }
  /** A close tag was forgotten: before an argument that the tool has, or before the end of the call. */
  const canStop = (behind: string, stop: string): boolean | undefined => {
    if (stop !== argument.open) return isAtMark(behind, [...callEnds.slice(1), ...callStarts])
    const next = shape.propertyNames.filter(each => !given.has(each)).map(each => each + argument.keyEnd)
    return isAtMark(behind, next)
  }
  const readValue = (chunk: string, from: number, to: number): number => {
    if (!text) return to
    const at = text.feed(chunk, from, to)
    const isDone = text.isDone()
    const stopped = text.stopped()
    if (!isDone && stopped === undefined) return at
    const again = stopped ?? text.behind()
    endValue()
    readAgain(again)
    return at
  }
  const endValue = () => {
    text = undefined
    held = ''
    putValue(Token.endText, '')
    state = ARGS
  }
  const beginObject = () => {
    const { put, mayHaveKey } = commit()
    json = createJsonContent({ sink: put, closeMark: call.close, maxHeldChars: port.maxHeldChars, mayHaveKey })
    json.feed('{', 0, 1)
    isPlaced = true
    held = ''
    state = OBJECT
  }
  const readObject = (chunk: string, from: number, to: number): number => {
    if (!json) return to
    const at = json.feed(chunk, from, to)
    if (json.status() === 'open') return at
    if (json.status() === 'failed') {
      breakOff(json.error(), json.unread())
      return at
    }
    const behind = json.unread()
    json.close()
    given.add('')
    held = ''
    state = ARGS
    readAgain(behind)
    return at
  }
  const readAgain = (again: string) => around.readAgain(again.slice(body.feed(again, 0, again.length)))
  const readCallHead = (char: string) =>
    readHead(char, call.headEnd ?? '', attributes => {
      state = ARGS
      if (attributes.trim().endsWith('/')) closeLast()
    })

  const body = markup.createBody({
    state: () => state,
    chars: { [HEAD]: readCallHead, [ARGS]: readArgs, [KEY]: readKey, [KEY_HEAD]: readKeyHead },
    chunks: { [NAME]: readName, [VALUE]: readValue, [OBJECT]: readObject },
    end(isCut) {
      if (state === OBJECT) return closeLast(0, json?.end(isCut) ? undefined : CUT)
      if (state === VALUE) {
        const isWhole = text?.end() === true && !isCut
        if (isWhole) endValue()
        return closeLast(0, isWhole ? undefined : CUT)
      }
      if (state === ARGS && (writer() || (!isCut && port.tools.has(name) && held === ''))) {
        const isWhole = !isCut && (held === '' || callEnds.some(mark => mark.startsWith(held)))
        closeLast(0, isWhole ? undefined : CUT)
      } else if (writer()) closeLast(0, CUT)
      else leave()
    },
  })
  return body
}

/** Calls in tags, with raw text as arguments. */
export function taggedCalls(grammar: TaggedGrammar): CallGrammar {
  const { section: marks, call, fillers } = grammar
  return ({ forcedToolName }) => {
    const envelope = marks && { ends: [marks.close], opens: [marks.open], forcedToolName }
    const createEnvelope = envelope && ((port: CallPort) => createJsonBody(port, envelope))
    return sectionCalls({ marks, fillers, createEnvelope }, [
      {
        text: call.open,
        createBody: (port, around) => createTaggedBody(port, { ...grammar, forcedToolName, around }),
      },
    ])
  }
}
