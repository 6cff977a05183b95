import { createCallSection } from '../call-section.js'
import type { Problem } from '../events.js'
import { problemOf } from '../failure.js'
import type { CallGrammar, CallOutput, CallReader } from '../grammar.js'
import { readEnd, type TagCall } from '../tags/calls-in-tags.js'
import { noTag } from '../tags/open-tag.js'
import type { Cursor, Reading } from '../text/cursor.js'
import { peek } from '../text/read-marks.js'
import { readYaml } from './read-yaml.js'

// A call as YAML between marks, where JSON or tags were asked for (decision 82):
//
//     <tool_call>
//     name: get_weather
//     arguments:
//       city: Paris
//     </tool_call>

/** The lines before the arguments. */
interface EnvelopeHead {
  /** The tool's name. */
  readonly name: string
  /** How many characters they have. */
  readonly length: number
}

const head = /^\s*name: *(["']?)([^\s"']+)\1 *\r?\n *(?:arguments|parameters): *(?:\r?\n|(?=\{))/

/** Looks at the lines before the arguments: `|name: get_weather⏎arguments:⏎`. */
export function matchEnvelopeHead(text: string): EnvelopeHead | 'none' | 'wait' {
  const [found, , name = ''] = head.exec(text) ?? []
  if (found !== undefined) return { name, length: found.length }
  return text.trimStart().split('\n').length > 2 ? 'none' : 'wait'
}

/** Calls as YAML between two marks. */
export const yamlEnvelopeCalls =
  (marks: { readonly open: string; readonly close: string }): CallGrammar =>
  () => [
    {
      text: marks.open,
      ends: [marks.close],
      read: (cursor, output) => readEnvelope(cursor, output, marks),
    },
  ]

function* readEnvelope(
  cursor: Cursor,
  output: CallOutput,
  { open, close }: { readonly open: string; readonly close: string },
): CallReader {
  const found = yield* peek(cursor, matchEnvelopeHead)
  if (!found || found === 'none' || !output.tools.has(found.name)) return undefined
  cursor.at += found.length
  const callSection = createCallSection(cursor, output, { endMarks: [close], openMarks: [open] })
  const call: TagCall = {
    ends: [close],
    writtenEnds: [close],
    opens: [open],
    shape: output.tools.shapeOf(found.name),
    isTool: true,
    tag: noTag,
    isSelfClosing: false,
    maxHeldChars: output.maxHeldChars,
    isFirst: output.isTextStart || output.isAfterCall,
    callSection,
    beginCall: () => callSection.beginCall(found.name),
  }
  call.beginCall()
  yield* callSection.endCall(yield* readArguments(cursor, output, call))
  return 0
}

function* readArguments(
  cursor: Cursor,
  output: CallOutput,
  call: TagCall,
): Reading<Problem | undefined> {
  try {
    // `arguments: |{"city": "Paris"}`
    if (cursor.text.charAt(cursor.at) === '{') yield* readEnd(cursor, call, true)
    else yield* readYaml(cursor, output, call)
  } catch (error) {
    return problemOf(error)
  }
  return undefined
}
