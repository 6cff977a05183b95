import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import {
  generateText,
  type LanguageModel,
  type ModelMessage,
  stepCountIs,
  streamText,
  tool,
} from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { scriptOf } from '../support/scripted-upstream.js'
import { description, question, type Trip, toolName, translatedModes, useTrips } from './trip.js'

const startTrip = useTrips()
const inputSchema = z.object({ city: z.string(), days: z.number().int().optional() })

/** The providers of the AI SDK, each for another API. The first is the default one of OpenAI. */
const providers: Readonly<Record<string, (trip: Trip) => (model: string) => LanguageModel>> = {
  "OpenAI's": ({ proxy }) => createOpenAI({ baseURL: proxy.baseUrl, apiKey: 'none' }),
  "OpenAI's, for chats": ({ proxy }) =>
    createOpenAI({ baseURL: proxy.baseUrl, apiKey: 'none' }).chat,
  "Anthropic's": ({ proxy }) => createAnthropic({ baseURL: proxy.baseUrl, apiKey: 'none' }),
}

const ways = {
  generateText: async (options: Parameters<typeof generateText>[0]) => {
    const { text, response } = await generateText(options)
    return { text, messages: response.messages }
  },
  streamText: async (options: Parameters<typeof streamText>[0]) => {
    const { text, response } = streamText(options)
    return { text: await text, messages: (await response).messages }
  },
}

const settings = (trip: Trip) => ({
  tools: { [toolName]: tool({ description, inputSchema, execute: async args => trip.tool(args) }) },
  ...{ maxRetries: 0, maxOutputTokens: 1000 },
  stopWhen: stepCountIs(5),
})

const call = (city: string) => ({ calls: [{ name: toolName, args: { city } }] })
const answers = ['Rome is warm.', 'Oslo is cold.', 'Take a coat to Oslo.']
/** Two questions with a call each, and a third one without. */
const script = scriptOf([
  call('Rome'),
  { text: answers[0] ?? '' },
  call('Oslo'),
  { text: answers[1] ?? '' },
  { text: answers[2] ?? '' },
])

describe.each(Object.entries(providers))('the provider of the AI SDK: %s', (name, provider) => {
  describe.each(translatedModes)('$mode, a $model model', ({ mode, model }) => {
    it.each(Object.entries(ways))('runs its loop with %s', async (_, run) => {
      const trip = await startTrip(mode)
      const { text } = await run({
        ...settings(trip),
        model: provider(trip)(model),
        prompt: question,
      })
      trip.check(text)
    })

    it.each(Object.entries(ways))('answers three questions in turn with %s', async (_, run) => {
      const trip = await startTrip(mode, { script })
      const messages: ModelMessage[] = []
      const texts: string[] = []
      for (const content of ['Rome?', 'Oslo?', 'What shall I wear?']) {
        messages.push({ role: 'user', content })
        const turn = await run({ ...settings(trip), model: provider(trip)(model), messages })
        texts.push(turn.text.trim())
        messages.push(...turn.messages)
      }
      expect(texts).toEqual(answers)
      const last = trip.upstream.requests.at(-1)?.raw ?? ''
      expect(last).toMatch(/Rome\?[\s\S]*Rome is warm\.[\s\S]*Oslo\?[\s\S]*Oslo is cold\./)
      const sent = trip.proxy.records.at(-1)?.body ?? ''
      // The texts of the answers are not sent again: the proxy has stored them.
      expect(sent.includes('item_reference')).toBe(name === "OpenAI's")
      expect(sent.includes('Oslo is cold.')).toBe(name !== "OpenAI's")
    })
  })
})

describe("OpenAI's default provider", () => {
  const openai = providers["OpenAI's"]
  const start = async (options: Parameters<typeof startTrip>[1]) => {
    const trip = await startTrip('prompt', options)
    if (!openai) throw new Error('There is no provider.')
    return { trip, model: openai(trip) }
  }

  it.each(Object.entries(ways))(
    'refers to the reasoning of a model that is known to think, with %s',
    async (_, run) => {
      const { trip, model } = await start({ script, proxy: { rule: { model: 'reasoning' } } })
      const messages: ModelMessage[] = [{ role: 'user', content: 'Rome?' }]
      const first = await run({ ...settings(trip), model: model('gpt-5'), messages })
      messages.push(...first.messages, { role: 'user', content: 'Oslo?' })
      const second = await run({ ...settings(trip), model: model('gpt-5'), messages })
      expect([first.text, second.text]).toEqual(answers.slice(0, 2))
      expect(trip.proxy.records.at(-1)?.body).toMatch(/"item_reference","id":"rs_[A-Za-z0-9]{24}"/)
    },
  )

  it('continues a response by its id', async () => {
    const { trip, model } = await start({ script })
    const first = await generateText({
      ...settings(trip),
      ...{ model: model('perfect'), prompt: 'Rome?' },
    })
    const responseId = first.providerMetadata?.openai?.responseId
    const previousResponseId = z.string().parse(responseId)
    const second = await generateText({
      ...settings(trip),
      ...{ model: model('perfect'), prompt: 'And the other one?', stopWhen: stepCountIs(1) },
      providerOptions: { openai: { previousResponseId } },
    })
    expect(second.toolCalls).toMatchObject([{ input: { city: 'Oslo' } }])
    const sent = trip.proxy.records.at(-1)?.body ?? ''
    expect(sent).not.toContain('Rome')
    expect(trip.upstream.requests.at(-1)?.raw).toMatch(/Rome\?[\s\S]*Rome is warm\./)
  })

  it('sends everything with store: false, and nothing is stored', async () => {
    const { trip, model } = await start({
      script,
      proxy: { store: { responses: 0, bytes: 1, ageMs: 1 } },
    })
    const options = { providerOptions: { openai: { store: false } } }
    const messages: ModelMessage[] = [{ role: 'user', content: 'Rome?' }]
    const ask = () =>
      generateText({ ...settings(trip), ...options, model: model('perfect'), messages })
    messages.push(...(await ask()).response.messages, { role: 'user', content: 'Oslo?' })
    expect((await ask()).text).toBe(answers[1])
  })
})
