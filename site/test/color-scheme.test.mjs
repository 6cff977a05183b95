import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { runInNewContext } from 'node:vm'
import { root } from '../pages.mjs'

const read = path => readFileSync(root + path, 'utf8')

/** Runs the script of the API pages. Returns the color scheme that the page has after it. */
function themeAfter(stored) {
  const dataset = { theme: 'os' }
  runInNewContext(read('site/api-theme.js'), {
    localStorage: { getItem: key => stored[key] ?? null },
    document: { documentElement: { dataset } },
  })
  return dataset.theme
}

describe('the color scheme', () => {
  const site = 'vitepress-theme-appearance'
  for (const [stored, expected] of [
    [{}, 'os'],
    [{ [site]: 'auto' }, 'os'],
    [{ [site]: 'dark' }, 'dark'],
    [{ [site]: 'light', 'tsd-theme': 'os' }, 'light'],
    [{ [site]: 'light', 'tsd-theme': 'dark' }, 'os'],
  ]) {
    it(`of the API reference is ${expected} with ${JSON.stringify(stored)}`, () => {
      assert.equal(themeAfter(stored), expected)
    })
  }

  it('of a page is light unless the reader has chosen dark, so that pictures follow', () => {
    const style = read('site/.vitepress/theme/style.css')
    assert.match(style, /^html:not\(\.dark\) \{\n {2}color-scheme: light;\n\}/m)
  })

  it('of each picture follows the page that shows it', () => {
    const pictures = readdirSync(`${root}docs`).filter(file => file.endsWith('.svg'))
    assert.ok(pictures.length >= 2)
    for (const picture of pictures) {
      assert.match(read(`docs/${picture}`), /@media ?\(prefers-color-scheme: ?dark\)/, picture)
    }
  })
})
