import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { createMarkdownRenderer } from 'vitepress'
import { createSSRApp } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { repository } from '../address.mjs'
import { githubSlug, headingAnchors, markdown, siteLink } from '../markdown.mjs'
import { pages, root } from '../pages.mjs'

const renderer = await createMarkdownRenderer(root, markdown)

/** Returns the text that a reader sees: Markdown is made a Vue template, and that is rendered. */
async function shownText(text) {
  const template = renderer.render(text, { path: `${root}docs/options.md` })
  const html = await renderToString(createSSRApp({ template }))
  const shown = html.replaceAll(/<!--.*?-->|<[^>]*>/gs, '')
  return shown.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').trim()
}

describe('a page', () => {
  const texts = [
    'A text with {{ braces }}, <tool_call> and <|calls|>, :) and $x^2$.',
    'A list of arguments {days=3}',
    '{{"city": "Paris"}}',
  ]
  for (const text of texts) {
    it(`shows "${text}" as it is written`, async () => {
      assert.equal(await shownText(text), text)
      assert.equal(await shownText(`\`${text}\``), text)
      assert.equal(await shownText(`**${text}**`), text)
      assert.ok((await shownText(`\`\`\`text\n${text}\n\`\`\``)).includes(text))
    })
  }

  it('shows a fence that contains a fence', async () => {
    const inner = '```tool_call\n{"name": "get_weather"}\n```'
    assert.ok((await shownText(`\`\`\`\`text\n${inner}\n\`\`\`\``)).includes(inner))
  })

  it('does not show comments', async () => {
    assert.equal(await shownText('a <!-- b --> c\n\n<!-- begin\nd -->\n\ne'), 'a <!-- b --> ce')
  })
})

describe('an anchor', () => {
  it('is the one of GitHub', () => {
    assert.equal(
      githubSlug('What compactTools() does differently'),
      'what-compacttools-does-differently',
    )
    assert.equal(githubSlug('Bun, Deno & workerd'), 'bun-deno--workerd')
    assert.equal(githubSlug('1. A server'), '1-a-server')
  })
})

describe('a link', () => {
  it('to a page leads to the page of the site', () => {
    assert.equal(siteLink('models.md#auto', 'docs/options.md'), '/models.md#auto')
    assert.equal(siteLink('../MIGRATE.md', 'docs/options.md'), '/migrate.md')
    assert.equal(siteLink('docs/errors.md', 'MIGRATE.md'), '/errors.md')
    assert.equal(siteLink('../examples/use-chat', 'docs/options.md'), '/examples/use-chat.md')
    assert.equal(siteLink('../examples', 'docs/options.md'), '/examples/index.md')
  })

  it('to another file or folder leads to the repository', () => {
    assert.equal(
      siteLink('../CONTRIBUTING.md#style', 'docs/faq.md'),
      `${repository}/blob/main/CONTRIBUTING.md#style`,
    )
    assert.equal(siteLink('../deploy', 'docs/proxy.md'), `${repository}/tree/main/deploy`)
    assert.equal(
      siteLink('main.js', 'examples/local-server/README.md'),
      `${repository}/blob/main/examples/local-server/main.js`,
    )
  })

  it('to a place in the page or to another site stays', () => {
    assert.equal(siteLink('#auto', 'docs/options.md'), '#auto')
    assert.equal(siteLink('https://example.com/a', 'docs/options.md'), 'https://example.com/a')
    assert.equal(siteLink('mailto:a@example.com', 'docs/options.md'), 'mailto:a@example.com')
  })

  it('to a heading of another file is checked', () => {
    const message = /the link ".*" names no heading of README\.md/
    assert.throws(() => siteLink('../README.md#nothing', 'docs/faq.md'), message)
  })

  it('to a file that does not exist is an error', () => {
    for (const href of ['nothing.md', '../packages/nothing', '../../outside.md']) {
      assert.throws(
        () => siteLink(href, 'docs/options.md'),
        /docs\/options\.md: the link ".*" names no file/,
      )
    }
  })
})

describe('a file that is not a page', () => {
  const packages = readdirSync(`${root}packages`).map(name => `packages/${name}/README.md`)
  const files = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...packages]
  for (const file of files.filter(file => existsSync(root + file))) {
    it(`has only links that lead somewhere: ${file}`, () => {
      for (const href of linksOf(file)) {
        const link = siteLink(href, file)
        const [path, anchor] = link.split('#')
        const page = link.startsWith('#') ? file : sources.get(path)
        if (page === undefined || anchor === undefined) continue
        assert.ok(headingAnchors(page).includes(anchor), `${href} names no heading of ${page}`)
      }
    })
  }
})

/** The files of the repository by their path on the site. */
const sources = new Map([...pages].map(([file, page]) => [`/${page}`, file]))

/** `[the options](docs/options.md#rescue)`, outside of code. */
function linksOf(file) {
  const text = readFileSync(root + file, 'utf8').replaceAll(/^(`{3,})[\s\S]*?^\1$|`[^`\n]+`/gm, '')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href]) => href)
}
