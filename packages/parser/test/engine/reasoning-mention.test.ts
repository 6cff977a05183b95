import { describe, expect, it } from 'vitest'
import { createMarkFinders } from '../../src/engine/mark-finders.js'
import {
  createMention,
  createMentionHistory,
  isMentioned,
  isQuotedClose,
  type MentionMeaning,
  readMention,
  rememberMention,
} from '../../src/engine/reasoning-mention.js'
import { createScanner } from '../../src/engine/scanner.js'
import { advance, createLineContext } from '../../src/engine/text/line-context.js'
import { allSplits, describeChunks } from '../support/chunks.js'
import { feedScanner, mergeEvents } from '../support/read-answer.js'
import {
  callMarks,
  closeThink,
  openThink,
  searchReasoning,
  tools,
} from '../support/reasoning-search.js'

const contextAfter = (before: string) => {
  const context = createLineContext()
  advance(context, before)
  return context
}

interface ReadOptions {
  readonly history?: ReturnType<typeof createMentionHistory>
  readonly splitsReasoning?: boolean
}

/** Reads the text after the first `<think>` of a text, and remembers what it shows. */
function read(
  text: string,
  split: (after: string) => readonly string[],
  { history = createMentionHistory(), splitsReasoning = true }: ReadOptions = {},
) {
  const at = text.indexOf('<think>')
  const before = text.slice(0, at + '<think>'.length)
  const mention = createMention(openThink, contextAfter(text.slice(0, at)))
  const { result = mention.meaning, offset } = searchReasoning(
    search => readMention(mention, history, search, splitsReasoning),
    split(text.slice(before.length)),
    { before },
  )
  mention.meaning = result
  rememberMention(history, mention, offset)
  return { meaning: result, offset, history }
}

const whole = (text: string) => [text]

// biome-ignore format: a table
describe('whether an open mark of reasoning may only be mentioned', () => {
  it.each<[string, boolean]>([
    // text before the mark   it may be mentioned
    ['',                      false],
    ['Hi.\n  ',               false],
    ['Use ',                  true],
    ['- ',                    true],
    ['```\n',                 true],
    ['```\n\n```\n',          false],
  ])('%j: %s', (before, expected) => {
    expect(isMentioned(openThink, contextAfter(before))).toBe(expected)
    expect(isMentioned({ ...openThink, isMentionable: false }, contextAfter(before))).toBe(false)
  })
})

// biome-ignore format: a table
describe('what an open mark inside a line means', () => {
  it.each<[string, MentionMeaning]>([
    ['Sure. <think>hm</think> So.',                   'reasoning'],
    ['Sure. <think>a\n\nb</think>',                   'reasoning'],
    ['Use <think> to reason.',                        'unclosed'],
    ['Use <think>',                                   'unclosed'],
    ['Use <think> and `</think>`.',                   'unclosed'],
    ['Use <think>. <call>{"name": "f", "arguments": {"a": "</think>"}}</call>', 'unclosed'],
    ['Write `<think>` first.',                        'quoted'],
    ['Write `<think>` and `</think>`.',               'quoted'],
    ['Write ``<think> ` `` </think>',                 'quoted'],
    // The code is not closed in its line.
    ['A ` sign. <think>hm</think>',                   'reasoning'],
    ['A ` sign. <think>hm',                           'unclosed'],
    ['```\n<think>hm</think>\n```',                   'quoted-reasoning'],
    ['```\na <think>hm\n\n</think>\n```',             'quoted-reasoning'],
    // Only the same code block counts.
    ['```\n<think>hm\n```\n</think>',                 'quoted'],
    ['```\n<think>hm',                                'quoted'],
  ])('%j: %s', (text, meaning) => {
    const after = text.slice(text.indexOf('<think>') + '<think>'.length)
    for (const chunks of allSplits(after)) {
      expect(read(text, () => chunks).meaning, describeChunks(chunks)).toBe(meaning)
    }
  })

  it.each<[string, MentionMeaning, string]>([
    // text                                  meaning               not read
    ['Sure. <think>hm</think>',              'unclosed',           'hm</think>'],
    ['Write `<think>` first.',               'quoted',             '` first.'],
    ['```\n<think>hm</think>\n```',          'quoted-reasoning',   '</think>\n```'],
  ])('%j where reasoning is text: %s', (text, meaning, unread) => {
    const found = read(text, whole, { splitsReasoning: false })
    expect(found).toMatchObject({ meaning, offset: text.length - unread.length })
  })
})

describe('what is known from the mention before', () => {
  it('is where no close mark can follow', () => {
    const first = 'Use <think> or <think> here.'
    const { history } = read(first, whole)
    expect(history).toMatchObject({ unclosedUntil: first.length, hasOpenedInLine: true })
    const again = read('Use <think>, or', whole, { history })
    expect(again).toMatchObject({ meaning: 'unclosed', offset: 'Use <think>'.length })
  })

  it('is the code block without a close mark', () => {
    const { history } = read('```\n<think>a\n```\n', whole)
    const again = read('```\n<think>a</think>', whole, { history })
    expect(again).toMatchObject({ meaning: 'quoted', offset: '```\n<think>'.length })
    const next = read('```\n```\n```\n<think>a</think>', whole, { history })
    expect(next.meaning).toBe('quoted-reasoning')
  })

  it('is where the close mark is, so that one before it is quoted', () => {
    const text = 'Sure. <think>`</think>` hm</think>'
    const { history } = read(text, whole)
    const closeOffset = text.lastIndexOf('</think>')
    expect(history).toMatchObject({ closeOffset, hasOpenedInLine: true })
    expect(isQuotedClose(closeThink, closeOffset - 1, history)).toBe(true)
    expect(isQuotedClose(closeThink, closeOffset, history)).toBe(false)
    expect(isQuotedClose(openThink, closeOffset - 1, history)).toBe(false)
  })

  it('does not include marks in code', () => {
    expect(read('Write `<think>` first.', whole).history).toEqual(createMentionHistory())
  })
})

describe('the text after a mention', () => {
  const maxHeldChars = 80
  const thinking = {
    marks: [{ opens: ['<think>'], closes: ['</think>'] }],
    mode: 'parts' as const,
    startsInReasoning: false,
    callsInReasoningCount: false,
  }
  const start = `${'a'.repeat(64)} Use `
  const mention = `<think> ${'to reason '.repeat(10)}`
  const finders = createMarkFinders(callMarks, thinking)
  const readWith = (chunks: readonly string[]) =>
    feedScanner(emit => createScanner({ finders, tools, maxHeldChars, thinking, emit }), chunks)

  it('is held no longer than is allowed, and is text then', () => {
    const chunks = [start, ...mention]
    const { events, emittedAfter } = readWith(chunks)
    const [before = 0, ...after] = emittedAfter
    expect(after.findIndex(count => count > before)).toBe(maxHeldChars - 1)
    expect(mergeEvents(events)).toEqual([{ type: 'text', text: chunks.join('') }])
  })

  it.each([
    mention,
    // The close mark comes too late, and a call before it is no call.
    `${mention}<call>{"name": "f", "arguments": {}}</call></think> So.`,
    '<think>12345</think> So.',
  ])('is the same for any chunks: %s', text => {
    const whole = mergeEvents(readWith([start + text]).events)
    if (text.startsWith(mention)) expect(whole).toEqual([{ type: 'text', text: start + text }])
    for (const chunks of allSplits(text)) {
      const { events } = readWith([start, ...chunks])
      expect(mergeEvents(events), describeChunks(chunks)).toEqual(whole)
    }
  })
})
