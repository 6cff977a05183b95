import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { base, repository } from '../address.mjs'
import { markdown } from '../markdown.mjs'
import { nav, sidebar } from '../navigation.mjs'
import { notPages, pages, root } from '../pages.mjs'

/** Finds Vue, which is only in `node_modules` of this folder: the pages are outside of it. */
const findVue = {
  name: 'find-vue',
  enforce: 'pre',
  resolveId(id, _importer, options) {
    if (!/^vue(?:\/|$)/.test(id)) return undefined
    if (options.ssr) return { id, external: true }
    return this.resolve(id, fileURLToPath(import.meta.url), { ...options, skipSelf: true })
  },
}

export default defineConfig({
  title: 'toolglot',
  description: 'Tool calling for every model, in TypeScript',
  lang: 'en',
  base,
  srcDir: '..',
  srcExclude: [...notPages, 'docs/api', 'site/node_modules'],
  rewrites: Object.fromEntries(pages),
  // A page may say where its example listens: `http://localhost:3000`.
  ignoreDeadLinks: 'localhostLinks',
  markdown,
  themeConfig: {
    nav,
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    editLink: { pattern: `${repository}/edit/main/:path`, text: 'Edit this page' },
    socialLinks: [{ icon: 'github', link: repository }],
  },
  vite: { plugins: [findVue] },
  // `npm run docs:api` at the root writes the API reference.
  async buildEnd({ outDir }) {
    const api = join(root, 'docs/api')
    if (!existsSync(api)) throw new Error('there is no docs/api: run `npm run docs:api`')
    await cp(api, join(outDir, 'api'), { recursive: true })
  },
})
