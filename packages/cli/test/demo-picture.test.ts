import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { drawDemo } from '../src/demo-picture/demo-picture.js'
import { recordDemo } from '../src/demo-picture/record-demo.js'
import { renderPicture } from '../src/demo-picture/render-picture.js'
import { type Cell, createScreen } from '../src/demo-picture/screen.js'

const committed = readFileSync(new URL('../../../docs/demo.svg', import.meta.url), 'utf8')

/** The texts of a picture in reading order, without their places. */
const textsOf = (svg: string) =>
  [...svg.matchAll(/<text[^>]*>(.*?)<\/text>/g)].map(([, text = '']) => text)

describe('docs/demo.svg', () => {
  it('is what `npm run demo:svg` draws', async () => {
    const howToUpdate =
      'The demo shows something else. If that is meant, run `npm run build && npm run demo:svg`, look at docs/demo.svg and commit it.'
    expect(await drawDemo(), howToUpdate).toBe(committed)
  })

  it('shows calls, a call that is refused, and the corrected one', () => {
    const text = textsOf(committed).join('')
    expect(text).toContain('toolglot demo')
    expect(text).toContain('invalid tool-call')
    expect(text).toContain('malformed-arguments')
    expect(text).toMatch(/Step 1.*Step 4.*Step 5/)
  })

  it('is small, has no script, and loads nothing', () => {
    expect(committed.length).toBeLessThan(60_000)
    expect(committed).not.toMatch(/<script|<image|<use|href|url\(|@import|\son\w+=/)
  })

  it('has colors for dark pages, and shows one complete step to readers who want no motion', () => {
    expect(committed).toContain('@media(prefers-color-scheme:dark)')
    expect(committed).toContain('\n.step~.step{display:none}\n')
    const [, moving = ''] =
      /@media\(prefers-reduced-motion:no-preference\)\{\n(.*?)\n\}/s.exec(committed) ?? []
    expect(moving).toMatch(/^\.step,\.step text\{animation:\d+ms step-end infinite\}$/m)
    expect(committed.match(/\banimation:/g)).toHaveLength(1)
    expect(moving).toContain('.step~.step{display:inline}')
  })
})

describe('the recording', () => {
  it('has all steps, and no row that is wider than the screen', async () => {
    const { heading, steps } = await recordDemo(90)
    expect(steps.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6])
    const rows = [heading, ...steps.map(step => step.rows)].flat()
    expect(Math.max(...rows.map(cells => cells.length))).toBeLessThanOrEqual(90)
  })

  it('shows the input of a call while the model still writes it', async () => {
    const { steps } = await recordDemo(114)
    const rows = steps[0]?.rows ?? []
    // The left column, and the right one after the separator.
    const columns = rows.map(cells => [cells.slice(0, 55), cells.slice(58)] as const)
    const textOf = (cells: readonly Cell[] = []) => cells.map(({ char }) => char).join('')
    const [written] = columns.find(([left]) => textOf(left).startsWith('{"name"')) ?? []
    const [, emitted] = columns.find(([, right]) => textOf(right) === '{"city":"Oslo"}') ?? []
    const lastWritten = written?.findLast(({ char }) => char === '}')
    expect(emitted?.[0]?.since).toBeGreaterThan(written?.[0]?.since ?? Number.NaN)
    expect(emitted?.[0]?.since).toBeLessThan(lastWritten?.since ?? Number.NaN)
  })
})

describe('the screen of the recording', () => {
  it('keeps the time of characters that are painted again', () => {
    let time = 0
    const screen = createScreen({ columns: 20, longLines: 'wrap', now: () => time })
    screen.write('\u001b[2Kab\u001b[6G\u001b[2m|\u001b[22m\n')
    time = 10
    screen.write('\u001b[1A\r\u001b[2Kabc\u001b[6G\u001b[2m|\u001b[22m\n')
    const shown = screen.rows()[0]?.map(({ char, style, since }) => `${char}${style}@${since}`)
    expect(shown).toEqual(['a@0', 'b@0', 'c@10', ' @10', ' @10', '|2@0'])
  })

  it.each([
    ['wrap', ['abcd', 'ef']],
    ['cut', ['abc…', '']],
  ] as const)('%s: what becomes of a long line', (longLines, expected) => {
    const screen = createScreen({ columns: 4, longLines, now: () => 0 })
    screen.write(longLines === 'wrap' ? 'abcdef' : 'abcdef\n')
    expect(screen.rows().map(cells => cells.map(({ char }) => char).join(''))).toEqual(expected)
  })

  it('refuses an escape sequence that it does not know', () => {
    const screen = createScreen({ columns: 4, longLines: 'wrap', now: () => 0 })
    expect(() => screen.write('\u001b[2J')).toThrow('escape sequence 2J')
  })
})

describe('the picture', () => {
  it('escapes what XML gives a meaning', () => {
    const cells = [...'<a&b>'].map(char => ({ char, style: '', since: 0 }))
    const svg = renderPicture({ heading: [], steps: [{ step: 1, rows: [cells], endsAt: 0 }] }, 20)
    expect(textsOf(svg)).toEqual(['&lt;a&amp;b&gt;'])
  })
})
