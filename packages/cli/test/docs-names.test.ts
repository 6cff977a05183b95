import { readdirSync, readFileSync } from 'node:fs'
import * as parser from '@toolglot/parser'
import * as formats from '@toolglot/parser/formats'
import * as protocol from '@toolglot/parser/protocol'
import * as proxy from '@toolglot/proxy'
import * as proxyNode from '@toolglot/proxy/node'
import { describe, expect, it } from 'vitest'

/** The functions that the pages for users name are those that the packages export. */

const root = new URL('../../../', import.meta.url)
/** Pages for contributors name functions that are not exported. */
const forContributors = ['decisions.md', 'architecture.md', 'glossary.md', 'adding-a-format.md']
const pages = [
  'README.md',
  'site/index.md',
  ...['parser', 'proxy', 'cli'].map(name => `packages/${name}/README.md`),
  ...readdirSync(new URL('docs/', root))
    .filter(file => file.endsWith('.md') && !forContributors.includes(file))
    .map(file => `docs/${file}`),
  ...readdirSync(new URL('examples/', root), { withFileTypes: true })
    .filter(entry => entry.isDirectory() && entry.name !== 'test')
    .map(entry => `examples/${entry.name}/README.md`),
]

const exported = new Set([parser, formats, protocol, proxy, proxyNode].flatMap(Object.keys))
/** Functions of other packages, methods and fields. */
const others = new Set(
  `createOpenAICompatible wrapLanguageModel listTools createScanner parseGeneratedText formatToolCalls
  extractReasoningMiddleware convertToModelMessages toolCalls isCut formatTools runTools
  originalTools droppedTools`.split(/\s+/),
)

const isFunctionName = (name: string) =>
  /^(?:create|render|parse|read|get|list|detect|wrap|define|convert|is|plan|escape|coerce|load|serve|handle)[A-Z]/.test(
    name,
  ) || /[a-z](?:ToolMiddleware|Middleware|Protocol|Calls|Tools)$/.test(name)

/** `createToolMiddleware(options)`, `compactTools()`, `hermesToolMiddleware`; not what is in blocks of code. */
function readNames(page: string): string[] {
  const text = readFileSync(new URL(page, root), 'utf8').replaceAll(/^ *```.*?^ *```$/gms, '')
  return [...text.matchAll(/`([a-z]\w*)(?:\([^`]*\))?`/g)]
    .map(([, name = '']) => name)
    .filter(name => isFunctionName(name) && !others.has(name))
}

describe('the functions that the pages name', () => {
  it('are found', () => {
    expect(readNames('README.md')).toContain('createToolMiddleware')
    expect(readNames('docs/without-ai-sdk.md')).toContain('renderResults')
  })

  it.each(pages)('in %s are exported', page => {
    expect(readNames(page).filter(name => !exported.has(name))).toEqual([])
  })
})
