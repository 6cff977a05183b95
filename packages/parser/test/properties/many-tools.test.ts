import { createToolMiddleware, type FunctionTool } from '@toolglot/parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  callsOf,
  runGenerate,
  runStream,
  textAnswer,
  textStream,
  transform,
  userSays,
} from '../sdk/support/direct.js'
import { installStepCounter, stepsSoFar } from './support/count-steps.js'
import { callOf, engineProtocol, formatCalls } from './support/protocols.js'

let restore = () => {}
beforeAll(() => {
  restore = installStepCounter()
})
afterAll(() => restore())

const args = { city: 'Paris' }

/** Tools that count how often their names and schemas are asked for. */
function createTools(count: number) {
  let reads = 0
  const inputSchema = { type: 'object', properties: { city: { type: 'string' } } }
  const tools = Array.from({ length: count }, (_, i): FunctionTool => {
    // Names of the same length, many of which begin alike.
    const name = `service_${10 + (i % 7)}_get_item_${10_000 + i}`
    return {
      type: 'function',
      get name() {
        reads++
        return name
      },
      get inputSchema() {
        reads++
        return inputSchema
      },
    }
  })
  return { tools, nameOf: (i: number) => tools[i]?.name ?? '', readsSoFar: () => reads }
}

/** The work of the first request with so many tools, and of reading its answer. */
async function measure(protocol: string, count: number) {
  const { tools, nameOf, readsSoFar } = createTools(count)
  const name = nameOf(count >> 1)
  const text = `Hm. <b>I</b> look.\n${formatCalls(engineProtocol(protocol), [callOf(name, args)])}`
  const start = { steps: stepsSoFar(), reads: readsSoFar() }
  const middleware = createToolMiddleware({ protocol })
  const params = { prompt: [userSays('Hi')], tools, toolChoice: { type: 'auto' } }
  const asked = await transform(middleware, params)
  const parts = await runStream(middleware, asked, textStream([text]))
  const end = { steps: stepsSoFar(), reads: readsSoFar() }
  expect(callsOf(parts)).toEqual([{ toolName: name, input: args }])
  return { steps: end.steps - start.steps, reads: end.reads - start.reads }
}

const FEW = 250
const MANY = 4 * FEW

describe.each(['hermes', 'morph_xml', 'yaml_xml', 'line', 'mistral', 'inkling', 'auto'])(
  'a request with many tools: %s',
  protocol => {
    it('needs work that grows like the number of tools', async () => {
      // What is prepared once for all requests.
      await measure(protocol, 1)
      const few = await measure(protocol, FEW)
      const many = await measure(protocol, MANY)
      expect(many.reads / MANY).toBe(few.reads / FEW)
      expect(many.steps / few.steps).toBeLessThan(4.2)
    })

    it('finds a tool in another spelling among 20,000', async () => {
      const { tools, nameOf } = createTools(20_000)
      const name = nameOf(12_345)
      const written = name.toUpperCase().replaceAll('_', '-')
      const text = formatCalls(engineProtocol(protocol), [callOf(written, args)])
      const middleware = createToolMiddleware({ protocol, mode: 'rescue' })
      const params = { prompt: [userSays('Hi')], tools, toolChoice: { type: 'auto' } }
      const { content } = await runGenerate(middleware, params, textAnswer(text))
      expect(callsOf(content)).toEqual([{ toolName: name, input: args }])
    })
  },
)
