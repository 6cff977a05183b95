import type { Body, CallGrammar, CallPort } from '../body.js'
import { isSpace } from '../characters.js'
import { isAtMark, startsMark, withoutPrefix } from '../match-marks.js'
import { createRawText, type RawText } from '../raw-text.js'
import { ANY_KIND, Kind, type Shape } from '../shape.js'
import { unescaped } from '../unescaped.js'
import { Token, type ValueSink } from '../value-token.js'
import { createJsonBody } from './json-body.js'
import { CUT, createMarkup } from './markup.js'
import { betweenCalls, type Section, sectionMarks } from './section.js'
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
  readonly section?: Section | undefined
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

interface BodyOptions extends TaggedGrammar {
  readonly forcedToolName: string | undefined
  readonly isInSection: boolean
}

function createTaggedBody(port: CallPort, grammar: BodyOptions): Body {
  const { section, call, argument, forcedToolName } = grammar
  const callEnds = [call.close, ...(section ? [section.close] : [])]
  const callStarts = [call.open, ...(section ? [section.open] : [])]
  const argMarks = [argument.open, ...callEnds, ...callStarts]
  let name = ''
  let shape: Shape = port.tools.shapeOf('')
  const given = new Set<string>()
  /** A name, a key or attributes. */
  let head = ''
  let key = ''
  let text: RawText | undefined
  let putValue: ValueSink = () => {}
  let json: ValueContent | undefined
  /** The arguments were given as one object. */
  let isPlaced = false
  const markup = createMarkup(port, {
    forcedToolName,
    ends: [call.close],
    opens: callStarts,
    onClose(problem) {
      const { put } = commit()
      if (problem || isPlaced) return
      if (given.size === 0) put(Token.beginObject, '')
      put(Token.endObject, '')
    },
    goOn:
      section &&
      (() => {
        given.clear()
        head = ''
        isPlaced = false
        text = undefined
        json = undefined
        goTo(readAround)
      }),
  })
  const { writer, closeLast, leave, readAgain, goTo, isAt } = markup
  const commit = () => markup.openCall(name)
  const breakOff = (message: string, unread: string) => (writer() ? markup.breakOff(message, unread) : leave())
  const takeHead = () => {
    const taken = head
    head = ''
    return taken
  }
  const endName = () => {
    // Some servers write line breaks as two characters.
    const written = takeHead()
      .trim()
      .replace(/(?:\\n)+$/, '')
    name = grammar.toolName?.(written, port.tools.has) ?? written
    if (name === '') return leave()
    shape = port.tools.shapeOf(forcedToolName ?? name)
    goTo(call.headEnd === undefined ? readArgs : readCallHead)
    if (call.nameEnd !== undefined && port.tools.has(name)) commit()
  }
  const readName = (char: string) => {
    const { nameEnd } = call
    if (nameEnd === undefined && head && (isSpace(char) || char === '<' || char === '{')) {
      readAgain(char)
      return endName()
    }
    head += char
    if (nameEnd !== undefined && head.endsWith(nameEnd)) {
      head = head.slice(0, -nameEnd.length)
      endName()
    } else if (head.length > MAX_HEAD_CHARS || /[\n<>{]/.test(withoutPrefix(head, nameEnd).trim())) leave()
  }
  /** Reads up to the end of a key or a tag; gives what stands before that. */
  const readHead = (char: string, end: string): string | undefined => {
    head += char
    if (head.length > MAX_HEAD_CHARS) breakOff('a tag without an end', takeHead())
    return head.endsWith(end) ? takeHead().slice(0, -end.length) : undefined
  }
  const readCallHead = (char: string) => {
    const attributes = readHead(char, call.headEnd ?? '')
    if (attributes === undefined) return
    goTo(readArgs)
    if (attributes.trim().endsWith('/')) closeLast()
  }
  /** A character between the arguments. */
  const readArgs = (char: string) => {
    const found = markup.readMark(char, argMarks)
    if (found === undefined) return
    if (found === argument.open) {
      commit()
      goTo(readKey)
    } else if (found === '{' && given.size === 0) beginObject()
    else if (!argMarks.includes(found)) breakOff('text between the arguments', found)
    else if (!writer() && callStarts.includes(found)) leave()
    else {
      // The call's own close tag may be missing.
      if (found !== call.close) readAgain(found)
      closeLast()
    }
  }
  const readKey = (char: string) => {
    const written = readHead(char, argument.keyEnd)
    if (written === undefined) return
    key = written.trim()
    if (argument.headEnd === undefined) beginValue('')
    else goTo(readKeyHead)
  }
  /** A character between a key and its value, or in the tag of a key. */
  const readKeyHead = (char: string) => {
    const { headEnd = '' } = argument
    const mark = head.trimStart() + char
    if (headEnd.startsWith('<') && argMarks.includes(mark)) {
      port.report({ code: 'malformed-arguments', message: `the argument ${JSON.stringify(key)} has no value` })
      head = ''
      goTo(readArgs)
      return readAgain(mark)
    }
    const attributes = readHead(char, headEnd)
    if (attributes !== undefined) beginValue(attributes)
  }
  const beginValue = (attributes: string) => {
    const { put } = commit()
    if (isPlaced || given.has(key)) return breakOff(`the argument ${JSON.stringify(key)} is given twice`, '')
    const isDeclared = shape.propertyNames.length === 0 || shape.propertyNames.includes(key)
    // Some models put all of the arguments into one.
    isPlaced = given.size === 0 && wrapperKeys.has(key) && !isDeclared
    if (given.size === 0 && !isPlaced) put(Token.beginObject, '')
    given.add(key)
    if (!isPlaced) put(Token.key, key)
    const { kinds } = isPlaced ? shape : shape.property(key)
    const isSilent = kinds === ANY_KIND
    const isText = grammar.isText?.(attributes) ?? (isSilent && grammar.isSilentText)
    put(isText && !isPlaced && (isSilent || kinds & Kind.string) ? Token.beginQuoted : Token.beginRaw, '')
    putValue = kinds & Kind.string && !isSilent ? put : unescaped(put)
    const isScalar = !(kinds & (Kind.string | Kind.object | Kind.array))
    text = createRawText({
      sink: putValue,
      close: argument.close,
      open: '\0',
      stops: [argument.open, ...callEnds],
      isVerbatim: !grammar.hasBlocks,
      maySection: grammar.hasSections,
      maxHeldChars: port.maxHeldChars,
      canFollow: behind => isScalar || isAtMark(behind, argMarks),
      canStop: (behind, stop) => isScalar || canStop(behind, stop),
    })
    goTo(text, afterText)
  }
  /** A close tag was forgotten: before an argument that the tool has, or before the end of the call. */
  const canStop = (behind: string, stop: string): boolean | undefined => {
    if (stop !== argument.open) return isAtMark(behind, [...callEnds.slice(1), ...callStarts])
    const next = shape.propertyNames.filter(each => !given.has(each)).map(each => each + argument.keyEnd)
    return isAtMark(behind, next)
  }
  const endValue = () => {
    text = undefined
    putValue(Token.endText, '')
    goTo(readArgs)
  }
  const afterText = () => {
    const stopped = text?.stopped()
    if (!text?.isDone() && stopped === undefined) return
    readAgain(stopped ?? text?.behind() ?? '')
    endValue()
  }
  const beginObject = () => {
    const { put, mayHaveKey } = commit()
    json = createJsonContent({ sink: put, closeMark: call.close, maxHeldChars: port.maxHeldChars, mayHaveKey })
    json.feed('{', 0, 1)
    isPlaced = true
    goTo(json, afterObject)
  }
  const afterObject = () => {
    if (json?.status() === 'failed') breakOff(json.error(), json.unread())
    if (json?.status() !== 'over') return
    readAgain(json.unread())
    json.close()
    given.add('')
    json = undefined
    goTo(readArgs)
  }
  const envelope = section && { ends: [section.close], opens: [section.open], forcedToolName }
  const readAround = betweenCalls(markup, {
    section,
    open: call.open,
    fillers: grammar.fillers,
    begin: () => goTo(readName),
    createEnvelope: envelope && (() => createJsonBody(port, envelope)),
  })

  return markup.bodyOf(grammar.isInSection ? readAround : readName, isCut => {
    if (isAt(readAround)) return markup.leaveAtEnd([...callEnds, ...(grammar.fillers ?? [])])
    const held = markup.held()
    let isWhole = false
    if (json) isWhole = json.end(isCut)
    else if (text) isWhole = text.end() && !isCut
    else if (isAt(readArgs) && (writer() || (port.tools.has(name) && held === '')))
      isWhole = !isCut && (held === '' || startsMark(held, callEnds))
    if (text && isWhole) endValue()
    if (writer() || isWhole) closeLast(0, isWhole ? undefined : CUT)
    else leave()
  })
}

/** Calls in tags, with raw text as arguments. */
export function taggedCalls(grammar: TaggedGrammar): CallGrammar {
  return ({ forcedToolName }) =>
    sectionMarks(grammar.section, grammar.call.open, (port, isInSection) =>
      createTaggedBody(port, { ...grammar, forcedToolName, isInSection }),
    )
}
