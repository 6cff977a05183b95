import { existsSync, readFileSync, statSync } from 'node:fs'
import { posix, relative } from 'node:path'
import { repository } from './address.mjs'
import { pages, root } from './pages.mjs'

/** Options of markdown-it and of VitePress' plugins, so that a page shows what GitHub shows. */
export const markdown = {
  // `<tool_call>` is text, not an element.
  html: false,
  // `{days=3}` at the end of a line is text, not attributes of it.
  attrs: { disable: true },
  // `:)` is text.
  emoji: { shortcuts: {} },
  anchor: { slugify: githubSlug },
  config(md) {
    md.use(showBraces)
    md.use(dropComments)
    md.use(linkToRepository)
  },
}

/** Returns the anchor that GitHub gives a heading: `Text & more` is `text--more`. */
export function githubSlug(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}

/** Shows `{{ name }}`, which Vue would read as an expression. */
function showBraces(md) {
  const { rules } = md.renderer
  for (const name of ['text', 'code_inline']) {
    const render = rules[name]
    rules[name] = (...args) => render.apply(rules, args).replaceAll('{{', '&#123;&#123;')
  }
}

/** Drops `<!-- a comment -->` between paragraphs: without `html` it would be a paragraph. */
function dropComments(md) {
  md.core.ruler.push('drop-comments', state => {
    const { tokens } = state
    state.tokens = tokens.filter(
      (_, i) => ![tokens[i - 1], tokens[i], tokens[i + 1]].some(isComment),
    )
  })
}

function isComment(token) {
  return token?.type === 'inline' && /^<!--.*-->$/s.test(token.content)
}

/** Makes the links of a page, which are paths in the repository, links of the site. */
function linkToRepository(md) {
  md.core.ruler.push('link-to-repository', ({ tokens, env }) => {
    // The title of a block (`::: info`) is rendered on its own, without a path.
    const path = env.realPath ?? env.path
    if (path === undefined) return
    const file = relative(root, path).replaceAll('\\', '/')
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === 'link_open') token.attrSet('href', siteLink(token.attrGet('href'), file))
    }
  })
}

/**
 * Returns the link that the site has for a link in a file of the repository:
 *
 * - `models.md#auto` in `docs/options.md`: `/models.md#auto`
 * - `../README.md` in it: an address of the repository
 * - `#auto`, `https://…`: the same
 */
export function siteLink(href, file) {
  if (/^(?:#|\w+:)/.test(href)) return href
  const [path, hash = ''] = href.split(/(?=#)/)
  // `index.md` is the only page that is written for the site, so its links are the site's.
  if (path.startsWith('/')) return href
  const target = posix.join(posix.dirname(file), decodeURI(path)).replace(/\/$/, '')
  const page = pages.get(target) ?? pages.get(`${target}/README.md`)
  if (page !== undefined) return `/${page}${hash}`
  if (target.startsWith('..') || !existsSync(root + target)) {
    throw new Error(`${file}: the link "${href}" names no file of the repository`)
  }
  if (hash !== '' && target.endsWith('.md') && !headingAnchors(target).includes(hash.slice(1))) {
    throw new Error(`${file}: the link "${href}" names no heading of ${target}`)
  }
  const kind = statSync(root + target).isDirectory() ? 'tree' : 'blob'
  return `${repository}/${kind}/main/${target}${hash}`
}

/** Returns the anchors of the headings of a file. Those of pages are checked in the built site. */
export function headingAnchors(file) {
  const headings = readFileSync(root + file, 'utf8').matchAll(/^#+ (.+)$/gm)
  return [...headings].map(([, heading]) => githubSlug(heading))
}
