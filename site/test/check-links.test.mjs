import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { findBrokenLinks } from '../check-links.mjs'

const folders = []
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

/** Writes a site: the text of each page by its file. */
function writeSite(pages) {
  const folder = mkdtempSync(join(tmpdir(), 'site-'))
  folders.push(folder)
  for (const [file, text] of Object.entries(pages)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  return folder
}

describe('findBrokenLinks', () => {
  it('accepts links to pages, anchors, folders, images and other sites', () => {
    const folder = writeSite({
      'index.html': `
        <a class="link" href="/options.html#a&amp;b">b</a> <a href="#top">top</a> <h1 id="top">top</h1>
        <a href="/examples/">examples</a> <a href="https://example.com/nothing#here">other</a>
        <img src="/dot.svg">`,
      'options.html': '<a href="./index.html">home</a> <h2 id="a&amp;b" tabindex="-1">b</h2>',
      'examples/index.html': '<a href="../options.html">options</a> <a href="/">home</a>',
      'dot.svg': '<svg/>',
    })
    assert.deepEqual(findBrokenLinks(folder), [])
  })

  it('finds a link to an anchor that its page does not have', () => {
    const folder = writeSite({
      'index.html': '<a href="/options.html#b">b</a> <a href="#c">c</a> <a id="b">b</a>',
      'options.html': '<h2 id="a">a</h2>',
    })
    assert.deepEqual(findBrokenLinks(folder), [
      'index.html: the link "/options.html#b" names no anchor of options.html',
      'index.html: the link "#c" names no anchor of index.html',
    ])
  })

  it('finds a link to a page, a folder or an image that does not exist', () => {
    const folder = writeSite({
      'a/index.html': '<a href="options.html">b</a> <a href="/b/">b</a> <img alt="c" src="/c.svg">',
      'options.html': '',
    })
    assert.deepEqual(findBrokenLinks(folder), [
      'a/index.html: the link "options.html" names no file: a/options.html',
      'a/index.html: the link "/b/" names no file: b/index.html',
      'a/index.html: the link "/c.svg" names no file: c.svg',
    ])
  })

  it('knows the path of the site on its server', () => {
    const folder = writeSite({
      'index.html': '<a href="/toolglot/options.html#a">a</a> <a href="/options.html">b</a>',
      'options.html': '<h2 id="a">a</h2>',
    })
    assert.deepEqual(findBrokenLinks(folder, '/toolglot/'), [
      'index.html: the link "/options.html" is not below /toolglot/',
    ])
  })
})
