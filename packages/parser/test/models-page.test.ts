import { readFileSync } from 'node:fs'
import { getProtocolInfo, listProtocols } from '@toolglot/parser'
import { describe, expect, it } from 'vitest'

/** The page is made from the registry: to mend it, put the table that this test wants into it. */
function modelsTable(): string {
  const rows = listProtocols().map(name => {
    const { aliases = [], family = '', grammar = '' } = getProtocolInfo(name) ?? {}
    return `| \`${name}\` | ${aliases.map(alias => `\`${alias}\``).join(', ')} | ${family} | ${grammar} |`
  })
  return ['| name | also | models | grammar |', '|---|---|---|---|', ...rows].join('\n')
}

describe('the page of models', () => {
  it('has every protocol, and what the registry says about it', () => {
    const page = readFileSync(new URL('../../../docs/models.md', import.meta.url), 'utf8')
    expect(page).toContain(modelsTable())
  })
})
