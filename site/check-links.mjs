import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { base } from './address.mjs'

/**
 * Returns the links and images of a built site that lead nowhere: to a file that does not exist, or
 * to an anchor that its page does not have. `base` is the path of the site on its server.
 */
export function findBrokenLinks(folder, base = '/') {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(file => file.replaceAll('\\', '/'))
    // TypeDoc checks its own pages.
    .filter(file => file.endsWith('.html') && !file.startsWith('api/'))
  const anchors = new Map()
  const anchorsOf = file => {
    if (!anchors.has(file)) anchors.set(file, readAnchors(join(folder, file)))
    return anchors.get(file)
  }

  const reasonOf = (link, from) => {
    const site = new URL(base, 'http://site')
    const url = new URL(link, new URL(from, site))
    if (url.host !== site.host) return undefined
    if (!url.pathname.startsWith(base)) return `is not below ${base}`
    const file = decodeURI(url.pathname.slice(base.length)).replace(/(^|\/)$/, '$1index.html')
    if (!existsSync(join(folder, file))) return `names no file: ${file}`
    const anchor = decodeURIComponent(url.hash.slice(1))
    const isMissing = anchor !== '' && !anchorsOf(file).has(anchor)
    return isMissing ? `names no anchor of ${file}` : undefined
  }

  return files.flatMap(from =>
    readLinks(join(folder, from)).flatMap(link => {
      const reason = reasonOf(link, from)
      return reason === undefined ? [] : [`${from}: the link "${link}" ${reason}`]
    }),
  )
}

/** `<a href="models.html#auto">`, `<img src="tokens.svg">` */
function readLinks(path) {
  const links = readFileSync(path, 'utf8').matchAll(
    /<(?:a|img|link)\s[^>]*?\b(?:href|src)="([^"]*)"/g,
  )
  return [...new Set([...links].map(([, link]) => unescapeAttribute(link)))]
}

/** `<h2 id="auto">` */
function readAnchors(path) {
  const ids = readFileSync(path, 'utf8').matchAll(/<[a-z][^>]*?\sid="([^"]*)"/g)
  return new Set([...ids].map(([, id]) => unescapeAttribute(id)))
}

function unescapeAttribute(attribute) {
  return attribute.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  const broken = findBrokenLinks(fileURLToPath(new URL('.vitepress/dist', import.meta.url)), base)
  for (const message of broken) console.error(message)
  console.log(`${broken.length} broken links`)
  process.exitCode = broken.length > 0 ? 1 : 0
}
