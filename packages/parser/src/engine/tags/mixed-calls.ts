import { createCallSection } from '../call-section.js'
import { problemOf } from '../failure.js'
import type { CallGrammar, CallOutput, CallReader, Mark } from '../grammar.js'
import { jsonCalls } from '../json/json-calls.js'
import { namedMark } from '../named-mark.js'
import { callsWithRepair } from '../other-forms.js'
import { type Cursor, noteRepair } from '../text/cursor.js'
import { matchMarks, peek, skip } from '../text/read-marks.js'
import type { Verdict } from '../text/verdict.js'
import { yamlEnvelopeCalls } from '../yaml/yaml-envelope.js'
import type { ArgumentTags } from './argument-notations.js'
import type { TagCall, TagCallGrammar } from './calls-in-tags.js'
import { readElements } from './elements.js'
import { matchOpenTag, noTag } from './open-tag.js'
import { taggedCalls } from './parameter-tags.js'

// Calls in which a model has mixed up the tags of several formats (decision 82):
//
//     <tool_call>                      <function=write_file>      write_file
//     <invoke name="write_file">       <path>a.ts</path>            <path>a.ts</path>
//     <path>a.ts</path>                </function>
//     </invoke>
//     </tool_call>

/** The marks around calls that models mix up. */
const sections = (): SectionTags[] =>
  ['<tool_call>', '<tool_calls>', '<function_calls>', '<minimax:tool_call>'].map(open => ({
    open,
    close: open.replace('<', '</'),
  }))
type SectionTags = NonNullable<TagCallGrammar['section']>

const parameter: ArgumentTags = { open: '<parameter=', keyEnd: '>', close: '</parameter>' }
const keyAndValue: ArgumentTags = {
  open: '<arg_key>',
  keyEnd: '</arg_key>',
  headEnd: '<arg_value>',
  close: '</arg_value>',
}

type CallTag = TagCallGrammar['call']

/** The tags of a call. */
const callTags: readonly CallTag[] = [
  { open: '<function=', nameEnd: '>', close: '</function>' },
  { open: '<function name="', nameEnd: '"', headEnd: '>', close: '</function>' },
  { open: '<invoke name="', nameEnd: '"', headEnd: '>', close: '</invoke>' },
  { open: '<function>', nameEnd: '</function>', close: '</function>' },
]
/** `<tool_call>function=write_file>`: the tag of the call has lost its first character. */
const tagWithoutBracket: CallTag = { open: 'function=', nameEnd: '>', close: '</function>' }

const form = { trimsBlockLayout: true, trimsUnclosed: true, argument: parameter }

/** Makes the mark of a section, in which any tag of a call may come. */
function sectionMarks(section: SectionTags): CallGrammar {
  const { open, close } = section
  const heads = [...callTags, tagWithoutBracket].map(call => ({
    starts: [call.open],
    calls: taggedCalls({ ...form, section, call }),
  }))
  const others = [
    { starts: ['{', '['], calls: jsonCalls(section) },
    { starts: ['name:'], calls: yamlEnvelopeCalls(section) },
  ]
  const forms = [...heads, ...others]
  // `<tool_call>write_file⏎<path>`
  const named = taggedCalls({ ...form, call: { open, close }, argument: keyAndValue })
  return tools => {
    const markOf = (calls: CallGrammar) => calls(tools).filter(mark => mark.text === open)
    const byStart = forms.map(({ starts, calls }) => ({ starts, marks: markOf(calls) }))
    const byName = markOf(named)
    return byName.map(mark => ({
      ...mark,
      *read(cursor, output): CallReader {
        yield* skip(cursor)
        const starts = byStart.flatMap(each => each.starts)
        yield* peek(cursor, text => matchMarks(text, starts))
        const isHere = (start: string) => cursor.text.startsWith(start, cursor.at)
        const found = byStart.find(each => each.starts.some(isHere))
        const [first] = found?.marks ?? byName
        return first && (yield* first.read(cursor, output))
      },
    }))
  }
}

/** Calls in the notations of several formats, of which a model may mix up the tags. */
export const mixedCalls: CallGrammar = tools => {
  // Made for each request: bundlers keep whatever is made when a module is loaded.
  const markedCalls = callsWithRepair(
    'other-notation',
    ...sections().map(sectionMarks),
    ...callTags.map(call => taggedCalls({ ...form, call })),
    // LM Studio asks models for this one that it does not know.
    jsonCalls({ open: '[TOOL_REQUEST]', close: '[END_TOOL_REQUEST]' }),
  )
  const { lookup } = tools
  return [...markedCalls(tools), namedMark(unmarked, { lookup, create: unmarkedCall })]
}

const unmarked = { text: '', strength: 'weak', onlyAtTextStart: true } as const

/**
 * `|write_file⏎  <path>a.ts</path>` A call without any mark but its name. A line of a text may look
 * like that, so the answer must begin with it.
 */
const unmarkedCall = (name: string): Mark => ({
  ...unmarked,
  text: name,
  read: (cursor, output) => readUnmarkedCall(cursor, output, name),
})

function* readUnmarkedCall(cursor: Cursor, output: CallOutput, name: string): CallReader {
  const shape = output.tools.shapeOf(name)
  const look = (text: string) => startsArguments(text, shape.propertyNames)
  if ((yield* peek(cursor, look)) !== 'yes') return undefined
  const callSection = createCallSection(cursor, output, { endMarks: [], openMarks: ['\n\n'] })
  const beginCall = () => callSection.beginCall(name)
  const call: TagCall = {
    ends: [`</${name}>`],
    writtenEnds: [`</${name}>`],
    opens: [],
    shape,
    isTool: true,
    tag: noTag,
    isSelfClosing: false,
    isUnmarked: true,
    maxHeldChars: output.maxHeldChars,
    isFirst: true,
    callSection,
    beginCall,
  }
  beginCall()
  noteRepair(cursor, 'missing-open')
  yield* callSection.endCall(yield* readElementArguments(cursor, call))
  return 0
}

function* readElementArguments(cursor: Cursor, call: TagCall) {
  try {
    const tags = { open: '', close: call.ends[0] ?? '' }
    yield* readElements(cursor, call, { call: tags, bracket: '<', trimsBlockLayout: true })
  } catch (error) {
    return problemOf(error)
  }
  return undefined
}

/** `|⏎  <path>` Tells whether the element of a declared argument begins in the next line. */
function startsArguments(text: string, names: readonly string[]): Verdict {
  const [space = ''] = /^[ \t]*(?:\r?\n\s*)?/.exec(text) ?? []
  const rest = text.slice(space.length)
  if (rest === '') return 'wait'
  if (!space.includes('\n')) return 'no'
  const tag = matchOpenTag('<', rest)
  if (tag === 'wait') return 'wait'
  return names.includes(tag.name) ? 'yes' : 'no'
}
