import type { Prompt } from './sdk-types.js'

/** One turn of the scripted model: a sentence, and calls after it. */
export interface Turn {
  readonly say: string
  readonly calls: readonly ScriptedCall[]
  /** The (only) call is written so that it cannot be read. */
  readonly isDamaged?: boolean
}

export interface ScriptedCall {
  readonly toolName: string
  readonly input: Readonly<Record<string, unknown>>
}

export const demoPrompt =
  'I travel to Oslo and then to Kyoto. Compare the weather, book it, write me a packing script, and remind me to pack.'

export const cities = ['Oslo', 'Kyoto'] as const

export const tripCall: ScriptedCall = {
  toolName: 'book_trip',
  input: {
    trip: {
      traveller: 'Ada',
      stops: [
        { city: 'Oslo', nights: 2 },
        { city: 'Kyoto', nights: 3 },
      ],
    },
  },
}

/**
 * A file with text that is hard for formats: both quotes, brackets, an ampersand, a backslash, an
 * end tag, empty lines.
 */
export const fileCall: ScriptedCall = {
  toolName: 'write_file',
  input: {
    path: 'pack.ts',
    content: `// "Pack" for -10 < t && t < 30
export const pack = (celsius: number): string[] => {
  const bag = ['passport', "Ada's camera"]

  if (celsius < 10 && !bag.includes('coat')) bag.push('coat')
  return bag.map(item => \`<li title="\${item}">\${item}</li>\\n\`)
}
`,
  },
}

export const reminderCall: ScriptedCall = {
  toolName: 'set_reminder',
  input: { title: 'Pack the umbrella', minutes: 30 },
}

/** Chooses the next turn by the conversation alone, as a model does. */
export function nextTurn(prompt: Prompt): Turn {
  const results = readResults(prompt)
  const missing = cities.filter(city => !results.celsius.has(city))
  if (missing.length) {
    return {
      say: 'Let me look at the weather in both cities.',
      calls: missing.map(city => ({ toolName: 'get_weather', input: { city } })),
    }
  }
  if (results.nights === undefined) return { say: 'Now I book the trip.', calls: [tripCall] }
  if (results.lines === undefined) return { say: 'And here is the script:', calls: [fileCall] }
  if (results.minutes === undefined) {
    return results.isLastUnreadable
      ? { say: 'That call could not be understood. Once more:', calls: [reminderCall] }
      : { say: 'Last, the reminder.', calls: [reminderCall], isDamaged: true }
  }
  return { say: describeResults(results), calls: [] }
}

/** The results of the tools in the conversation. */
interface Results {
  readonly celsius: ReadonlyMap<string, number>
  readonly nights: number | undefined
  readonly lines: number | undefined
  readonly minutes: number | undefined
  /** The last result reports that a call could not be read. */
  readonly isLastUnreadable: boolean
}

/** Writes the final answer, which is made from the results. */
function describeResults({ celsius, nights, lines, minutes }: Results): string {
  const weather = [...celsius].map(([city, degrees]) => `${city} has ${degrees} °C`).join(', ')
  return `${weather}. The trip of ${nights} nights is booked, pack.ts has ${lines} lines, and I remind you in ${minutes} minutes.`
}

/**
 * Finds the results by their keys. Every protocol writes results in its own way, so any characters
 * except letters and digits may be between a key and its value.
 */
function readResults(prompt: Prompt): Results {
  const answers = readAnswers(prompt)
  const all = answers.join('\n')
  const readNumber = (key: string) => {
    const digits = new RegExp(`${key}\\W+(\\d+)`).exec(all)?.[1]
    return digits === undefined ? undefined : Number(digits)
  }
  const celsius = cities.flatMap(city => {
    const degrees = new RegExp(`${city}\\b[\\s\\S]{0,40}?celsius\\W+(\\d+)`).exec(all)?.[1]
    return degrees === undefined ? [] : [[city, Number(degrees)] as const]
  })
  return {
    celsius: new Map(celsius),
    nights: readNumber('total_nights'),
    lines: readNumber('line_count'),
    minutes: readNumber('rings_in_minutes'),
    isLastUnreadable: /could not be read|Invalid input for tool/.test(answers.at(-1) ?? ''),
  }
}

/** Returns the messages with the tools' results, which the middleware has turned into text. */
function readAnswers(prompt: Prompt): string[] {
  const firstReply = prompt.findIndex(message => message.role === 'assistant')
  if (firstReply < 0) return []
  return prompt
    .slice(firstReply)
    .flatMap(message =>
      message.role === 'user'
        ? [message.content.map(part => (part.type === 'text' ? part.text : '')).join('\n')]
        : [],
    )
}
