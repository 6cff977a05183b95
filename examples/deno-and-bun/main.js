import { runAgent } from './agent.js'

const { BASE_URL, MODEL, API_KEY } = globalThis.process.env

const tools = {
  days_between: {
    description: 'The number of days from one date to another.',
    inputSchema: {
      type: 'object',
      properties: {
        from: { type: 'string', description: 'Such as 2027-01-31.' },
        to: { type: 'string' },
      },
      required: ['from', 'to'],
    },
    /** @param {{ from: string, to: string }} input */
    execute: ({ from, to }) => {
      const days = (Date.parse(to) - Date.parse(from)) / 86_400_000
      if (Number.isNaN(days)) throw new Error('from and to must be dates such as 2027-01-31')
      return { days }
    },
  },
}

const settings = {
  baseURL: BASE_URL ?? 'http://localhost:8080/v1',
  model: MODEL ?? 'qwen3',
  apiKey: API_KEY,
  tools,
}
const question = 'How many days are there from 12 March 2027 to 3 November 2027?'
let line = ''
for await (const event of runAgent(settings, question)) {
  // `console.log` writes whole lines, in each runtime.
  if (event.type === 'text') line += event.text
  if (event.type === 'call-start' && line.trim()) {
    console.log(line.trim())
    line = ''
  }
  if (event.type === 'call-end') console.log(`> ${event.call.toolName} ${event.call.input}`)
  if (event.type === 'problem') console.warn(`${event.problem.code}: ${event.problem.message}`)
  if (event.type === 'result' && !event.result.problem) {
    console.log(`< ${JSON.stringify(event.result.output)}`)
  }
}
console.log(line.trim())
