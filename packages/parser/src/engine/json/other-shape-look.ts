import { withoutMarkdown } from '../text/characters.js'
import { type Verdict, verdictOf } from '../text/verdict.js'
import type { ToolLookup } from '../tool-lookup.js'

// How a line begins that may be a call in a shape that the format does not write (decision 81):
//
//     get_weather(city="Paris")
//     [get_weather(city="Paris"), get_time()]
//     ["get_weather(city='Paris')"]
//     ["get_weather", {"city": "Paris"}]
//     {"tool_calls": [{"name": "get_weather", "arguments": {…}}]}
//     {"get_weather": {"city": "Paris"}}
//     get_weather
//     {"city": "Paris"}
//
// Each may be in backticks, or in a code fence of any label.

/** `functions.get_weather` */
const namespace = 'functions.'

/** The longest name that is compared with those of the tools. */
const MAX_NAME_CHARS = 256

const fenceStart = /^`{3,}[\w+.-]*[ \t\r]*\n\s*/
const begunFence = /^`+(?:[\w+.-]*[ \t\r]*)?$/
const brackets = /^[[(\s]*/
const nameStart = /^[^\s()[\]{}<>"'`,;:=|]*/
const firstKey = /^\{\s*(?:(["'])([^"'\n]{0,256})(\1)?)?/

/** The first keys of an object that may be a call, besides the names of tools. */
const envelopeKeys = new Set(
  'name tool_name function_name function tool tool_call function_call tool_calls function_calls arguments parameters args params input type id'.split(
    ' ',
  ),
)

/** Makes the look at the beginning of a line. It says `yes` if a reader should look closer. */
export function createShapeLook({ find, mayBegin }: ToolLookup): (ahead: string) => Verdict {
  const isTool = (name: string) => find(withoutMarkdown(name)) !== undefined
  const atName = (text: string, quote: string): Verdict => {
    const [name = ''] = nameStart.exec(text) ?? []
    const after = text.slice(name.length)
    if (after !== '') return isTool(name) ? startsArguments(after, quote) : 'no'
    // `get\\|`: the sign that is escaped comes next.
    const begun = withoutMarkdown(name).replace(/\\$/, '')
    const isBegun = namespace.startsWith(begun) || mayBegin(begun.replace(namespace, ''))
    return begun.length < MAX_NAME_CHARS && isBegun ? 'wait' : 'no'
  }
  const atObject = (text: string): Verdict => {
    const [all = '', , key = '', end] = firstKey.exec(text) ?? []
    if (end) return verdictOf(envelopeKeys.has(key) || isTool(key))
    return all.length === text.length ? 'wait' : 'no'
  }
  return ahead => {
    if (begunFence.test(ahead)) return 'wait'
    const inFence = ahead.replace(fenceStart, '')
    const isInFence = inFence.length < ahead.length
    const framed = isInFence ? inFence : ahead.replace(/^`/, '')
    const [opened = ''] = brackets.exec(framed) ?? []
    const text = framed.slice(opened.length)
    if (text === '') return 'wait'
    if (text.startsWith('{')) return atObject(text)
    const [quote = ''] = /^["']/.exec(text) ?? []
    return atName(text.slice(quote.length), quote)
  }
}

/** `get_weather|(` `get_weather|⏎{` `"get_weather|", {` What follows the name of a tool. */
function startsArguments(after: string, quote: string): Verdict {
  if (after.startsWith('(')) return 'yes'
  if (quote) {
    const isPair = /^["']\s*,\s*\{/.test(after)
    return isPair ? 'yes' : verdictWhile(/^["']\s*(?:,\s*)?$/, after)
  }
  // `get_weather|⏎{}`
  return /^\s*\{\s*["'}]/.test(after) ? 'yes' : verdictWhile(/^\s*(?:\{\s*)?$/, after)
}

const verdictWhile = (begun: RegExp, text: string): Verdict => (begun.test(text) ? 'wait' : 'no')
