import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** The pages of the site: `docs/models.md` of the repository is `models.md` of the site. */
export const pages = new Map([
  ['site/index.md', 'index.md'],
  ['MIGRATE.md', 'migrate.md'],
  ['examples/README.md', 'examples/index.md'],
  ...listMarkdown('docs').map(file => [file, file.slice('docs/'.length)]),
  ...listFolders('examples')
    .map(folder => [`${folder}/README.md`, `${folder}.md`])
    .filter(([file]) => existsSync(root + file)),
])

/** What the root contains besides pages. VitePress would make a page of each Markdown file in it. */
export const notPages = readdirSync(root).filter(
  name => ![...pages.keys()].some(file => file === name || file.startsWith(`${name}/`)),
)

/** Returns the heading of a page as plain text: ``# A chat page with `useChat` ``. */
export function headingOf(file) {
  const [, heading = file] = /^# (.+)$/m.exec(readFileSync(root + file, 'utf8')) ?? []
  return heading.replaceAll('`', '')
}

function listMarkdown(folder) {
  return readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .map(name => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter(file => file.endsWith('.md') && !file.startsWith('docs/api/'))
}

function listFolders(folder) {
  return readdirSync(root + folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(entry => `${folder}/${entry.name}`)
}
