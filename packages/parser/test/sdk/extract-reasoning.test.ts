import { createToolMiddleware } from '@toolglot/parser'
import { extractReasoningMiddleware } from 'ai-v6'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitAt } from '../support/chunks.js'
import { textStream } from './support/direct.js'
import { outlineOf } from './support/outline.js'
import { collect, scriptModel } from './support/scripted-model.js'
import { type AnyPart, ai6Version } from './support/sdk-versions.js'
import { weatherTool } from './support/weather.js'

/**
 * `reasoning: true` reads the tag `<think>` as the SDK's own `extractReasoningMiddleware` does, in
 * answers without code and without calls.
 *
 * Compared are all texts and all reasoning of an answer, without the whitespace that only separates:
 * that at the beginning and at the end of each text and each reasoning of an answer with a tag. So
 * texts and reasoning of nothing but whitespace are left out. The SDK keeps all whitespace and adds
 * a separator. What is not the same, and why:
 *
 * - Reasoning right after other reasoning is one part. The SDK adds a separator.
 * - The SDK loses the beginning of a tag at the end of a streamed answer.
 * - A close tag without an open one ends reasoning that the prompt has opened (decision 33).
 * - A second open tag right after the first one is dropped.
 * - A tag at the start of a line that is never closed opens reasoning, also in a whole answer. In a
 *   line it is text, also in a stream (decision 80). The SDK: text if whole, reasoning if streamed.
 */
interface Said {
  readonly texts: readonly string[]
  /** All reasoning of the answer. */
  readonly reasoning: string
}

/** A separator that no answer contains. */
const separator = '\u0001'
const theirs = extractReasoningMiddleware({ tagName: 'think', separator })
const ours = createToolMiddleware({ protocol: 'hermes', reasoning: true })
const request = { prompt: [], tools: [weatherTool] }

function wrapped(middleware: object, text: string, chunks: readonly string[]) {
  const { model } = scriptModel(ai6Version, [{ text, parts: textStream(chunks) }])
  return ai6Version.sdk.wrapLanguageModel({ model, middleware })
}

async function readWhole(middleware: object, text: string): Promise<AnyPart[]> {
  const { content } = await wrapped(middleware, text, []).doGenerate(request)
  return Array.isArray(content) ? content : []
}

async function readStream(middleware: object, chunks: readonly string[]): Promise<AnyPart[]> {
  const { stream } = await wrapped(middleware, '', chunks).doStream(request)
  return collect(stream)
}

/** What the parts of our middleware say. */
function ourSaid(parts: readonly AnyPart[]): Said {
  const outline = outlineOf(parts)
  return saidOf(
    outline.flatMap(each => ('text' in each ? [each.text] : [])),
    outline.flatMap(each => ('reasoning' in each ? [each.reasoning] : [])),
  )
}

/** What the parts of the SDK's middleware say. A whole answer has all reasoning before the text. */
function theirSaid(parts: readonly AnyPart[]): Said {
  const outline = outlineOf(parts)
  const texts = outline.flatMap(each => ('text' in each ? [each.text] : []))
  const reasoning = outline.flatMap(each => ('reasoning' in each ? [each.reasoning] : []))
  const split = (all: readonly string[]) => all.flatMap(each => each.split(separator))
  return saidOf(split(texts), split(reasoning))
}

/** Removes the whitespace that only separates. */
function saidOf(texts: readonly string[], reasoning: readonly string[]): Said {
  const trim = (all: readonly string[]) => all.map(text => text.trim()).filter(text => text !== '')
  // An answer without reasoning keeps all of its whitespace.
  if (texts.length === 1 && reasoning.length === 0) return { texts, reasoning: '' }
  return { texts: trim(texts), reasoning: trim(reasoning).join('') }
}

async function expectSame(text: string, chunks: readonly string[]): Promise<void> {
  const whole = ourSaid(await readWhole(ours, text))
  expect(whole).toEqual(theirSaid(await readWhole(theirs, text)))
  const streamed = ourSaid(await readStream(ours, chunks))
  expect(streamed).toEqual(theirSaid(await readStream(theirs, chunks)))
  expect(streamed).toEqual(whole)
}

describe('reasoning is what it is with extractReasoningMiddleware', () => {
  test.each([
    'Hello.',
    '<think>hm</think>Hello.',
    '<think>\nhm\n</think>\n\nHello.',
    'Hello <think>hm</think>',
    'Hello <think>hm</think> world.',
    'Hello<think>hm</think>world.',
    'Sure. <think>maybe, and\n\nmore</think>\n\nI will not.',
    'a <think>b</think> c <think>d</think> e',
    'a\n<think>b</think>\nc <think>d</think>e\n<think>f</think>',
    '<think>a</think><think>b</think>c',
    'a <think>b</think><think>c</think>d',
    '- <think>b</think> c',
    'a <think>so <think> it is</think> c',
    'x < y <think>1 < 2 </thin</think> <b>z</b>',
    'a <think>b</think>  \n',
    'a <think></think>',
    ' \n<think></think> a',
    '',
  ])('%j', async text => {
    await expectSame(text, [...text])
  })

  /** No backtick, no mark of a call, and no tag of reasoning. */
  const word = fc.constantFrom('Sure.', 'hm', 'a', 'x < y', '<b>', '</b>', '<thin', '</thin', '>')
  const space = fc.constantFrom('', ' ', '\n', '\n\n', '  ', '- ')
  const words = fc
    .array(fc.tuple(space, word), { maxLength: 5 })
    .map(pairs => pairs.flat().join(''))
  const reasoning = fc
    .tuple(word, words, space, fc.constantFrom('', ' <think> so', '<think>'))
    .map(([first, more, end, tag]) => `<think>${first}${more}${tag}${end}</think>`)
  const answer = fc
    .array(fc.tuple(words, word, space, reasoning, space), { maxLength: 4 })
    .chain(pairs => words.map(last => `${pairs.flat().join('')}${last}.`))

  test('in generated answers, whole and streamed', async () => {
    const cuts = fc.array(fc.nat({ max: 200 }), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(answer, cuts, async (text, places) => {
        await expectSame(text, splitAt(text, places))
      }),
      { numRuns: 300, seed: 20_250_607 },
    )
  })
})

describe('a tag that is never closed', () => {
  test.each(['Use <think> to reason.', 'a <think>b</think> c. Use <think> to reason.'])(
    'is text inside a line, as in a whole answer of the SDK: %j',
    async text => {
      const want = theirSaid(await readWhole(theirs, text))
      expect(ourSaid(await readWhole(ours, text))).toEqual(want)
      expect(ourSaid(await readStream(ours, [...text]))).toEqual(want)
    },
  )

  test('opens reasoning at the start of a line, as in a stream of the SDK', async () => {
    const text = 'Hi.\n<think>hm'
    const want = theirSaid(await readStream(theirs, [...text]))
    expect(ourSaid(await readWhole(ours, text))).toEqual(want)
    expect(ourSaid(await readStream(ours, [...text]))).toEqual(want)
  })
})
