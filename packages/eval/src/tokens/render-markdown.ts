import {
  describeRecount,
  type PublicResult,
  publishedCasesTable,
  publishedTable,
} from './public-tables.js'
import type { TokensResult } from './result.js'
import {
  breakEvenTable,
  callsTable,
  describeCatalogue,
  describeIds,
  describeLosses,
  headlineTable,
  type Table,
} from './tables.js'
import { tokenizerNames } from './tokenizer.js'

/** Puts the tables of the result between the marks of the document. */
export function updateDocument(document: string, result: TokensResult): string {
  return replaceSection(document, 'bench:tokens', renderMarkdown(result))
}

/** Puts the tables of the public cases between their marks of the document. */
export function updatePublicSection(document: string, result: PublicResult): string {
  return replaceSection(document, 'bench:tokens public', renderPublicMarkdown(result))
}

/** Puts the headline between its marks of a page. */
export function updateHeadline(page: string, result: TokensResult): string {
  return replaceSection(page, 'bench:tokens headline', renderHeadline(result))
}

/** Replaces the text between `<!-- NAME begin -->` and `<!-- NAME end -->`. */
function replaceSection(document: string, name: string, content: string): string {
  const beginMark = `<!-- ${name} begin -->`
  const endMark = `<!-- ${name} end -->`
  const begin = document.indexOf(beginMark)
  const end = document.indexOf(endMark)
  if (begin < 0 || end < begin)
    throw new Error(`The document has no ${beginMark} with an ${endMark} after it.`)
  return `${document.slice(0, begin)}${beginMark}\n\n${content}\n\n${document.slice(end)}`
}

function renderHeadline(result: TokensResult): string {
  return [
    `Tokens of ${describeCatalogue(result)}, counted by \`npm run build && npm run bench:tokens\`. *calls*: what the model writes; *manual*: what the tools add to every request; \`bare_json\`: \`name{"a":1}\` and JSON Schema; \`harmony\`: the format of gpt-oss.`,
    renderTable(headlineTable(result)),
  ].join('\n\n')
}

function renderMarkdown(result: TokensResult): string {
  const { outputPriceRatio, cacheRatio } = result.prices
  return [
    `Tokens of ${describeCatalogue(result)}. *calls*: what the model writes for all of them; *manual*: what the tools add to the input of every request; the last columns are the calls by group.`,
    'The syntaxes of `compactTools` in short:',
    renderTable(headlineTable(result)),
    'All of them:',
    ...tokenizerNames.map(name => renderTable(callsTable(result, name))),
    ...describeLosses(result),
    ...describeIds(result),
    `When the manual has paid for itself, counted in calls of one conversation, without / with a prompt cache (r = ${outputPriceRatio}, c = ${cacheRatio}):`,
    ...tokenizerNames.map(name => renderTable(breakEvenTable(result, name))),
  ].join('\n\n')
}

function renderPublicMarkdown(result: PublicResult): string {
  return [
    `Tokens of ${describeCatalogue(result)}, with \`o200k_base\`. *calls*: what the model writes for all of them; *manual*: the tool definitions, or what has their place in the prompt; *published*: the figures of that package.`,
    renderTable(publishedTable(result)),
    ...describeLosses(result),
    ...describeIds(result),
    describeRecount(result).join(' '),
    'Case by case:',
    renderTable(publishedCasesTable(result)),
  ].join('\n\n')
}

function renderTable({ headings, rows }: Table): string {
  const line = (cells: readonly string[]) =>
    `| ${headings.map((_, i) => cells[i] ?? '').join(' | ')} |`
  return [line(headings), `|---|${'---:|'.repeat(headings.length - 1)}`, ...rows.map(line)].join(
    '\n',
  )
}
