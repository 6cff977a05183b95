import { headingOf, pages } from './pages.mjs'

/** The files of each part, in the order of the sidebar. The text of a link is the page's heading. */
const parts = {
  Start: ['docs/getting-started.md', 'docs/models.md', 'docs/servers.md', 'docs/faq.md'],
  Recipes: [
    'docs/recipes.md',
    'docs/without-ai-sdk.md',
    'docs/own-format.md',
    'docs/compact.md',
    'MIGRATE.md',
    'examples/README.md',
    ...[...pages.keys()].filter(file => /^examples\/.+\/README\.md$/.test(file)).sort(),
  ],
  Reference: [
    'docs/options.md',
    'docs/protocols.md',
    'docs/errors.md',
    'docs/repairs.md',
    'docs/cli.md',
    'docs/proxy.md',
  ],
  Why: [
    'docs/when-not-to-use-it.md',
    'docs/comparison.md',
    'docs/guarantees.md',
    'docs/security.md',
    'docs/evidence.md',
    'docs/bench-tokens.md',
    'docs/bench-live.md',
    'docs/architecture.md',
    'docs/decisions.md',
  ],
  'To work on it': ['docs/adding-a-format.md', 'docs/glossary.md'],
}

/** The API reference, which TypeDoc writes and VitePress does not know. */
const apiReference = { text: 'API', link: '/api/index.html', target: '_self' }

const listed = new Set(['site/index.md', ...Object.values(parts).flat()])
const unlisted = [...pages.keys()].filter(file => !listed.has(file))
if (unlisted.length > 0) {
  throw new Error(`site/navigation.mjs names no part for ${unlisted.join(', ')}`)
}

export const sidebar = Object.entries(parts).map(([text, files]) => {
  const items = files.filter(file => pages.has(file)).map(linkTo)
  return { text, items: text === 'Reference' ? [...items, apiReference] : items }
})

/** Each part for users, by its first page. */
export const nav = sidebar
  .filter(({ text }) => text !== 'To work on it')
  .map(({ text, items }) => ({ text, link: items[0].link }))

function linkTo(file) {
  return { text: headingOf(file), link: `/${pages.get(file).replace(/\.md$/, '.html')}` }
}
