import { getProtocolInfo, listProtocols } from '@toolglot/parser'
import { defineCommand, wrapText } from '../command.js'
import { jsonText } from '../json-text.js'
import { createPalette } from '../palette.js'
import { jsonOption, readProtocol } from '../protocol-option.js'
import { ExitCode, hasColor } from '../terminal.js'
import { CommandError } from '../usage-error.js'

interface FormatRow {
  readonly name: string
  readonly aliases: readonly string[]
  readonly family: string
  readonly grammar: string
  readonly hasSpecialTokens: boolean
}

export const formatsCommand = defineCommand({
  name: 'formats',
  summary: 'the built-in formats, and the models that write them',
  usage: '[TEXT]',
  operands: [],
  maxOperands: 1,
  description:
    'Lists the built-in formats: name, grammar, whether the marks are special tokens that servers strip (S), the models that write it, and aliases. TEXT limits the list to formats that contain it.',
  options: { json: jsonOption },
  more: `Examples:
  toolglot formats qwen
  toolglot formats --json | jq -r '.[] | select(.hasSpecialTokens) | .name'

Exit codes: 0 done, 1 no format matches TEXT, 2 wrong usage.`,
  async run({ operands, flag, ...surroundings }) {
    const { stdout } = surroundings
    const [text = ''] = operands
    const wanted = text.toLowerCase()
    const rows = listProtocols()
      .map(rowOf)
      .filter(({ name, aliases, family, grammar }) =>
        [name, ...aliases, family, grammar].some(each => each.toLowerCase().includes(wanted)),
      )
    if (rows.length === 0) throw new CommandError(`no format matches ${JSON.stringify(text)}`)
    if (flag('json')) stdout.write(`${jsonText(rows, 2)}\n`)
    else stdout.write(renderRows(rows, stdout.columns ?? 80, hasColor(surroundings)))
    return ExitCode.success
  },
})

function rowOf(name: string): FormatRow {
  const { protocol } = readProtocol(name)
  const info = getProtocolInfo(name)
  return {
    name,
    aliases: info?.aliases ?? [],
    family: info?.family ?? '',
    grammar: info?.grammar ?? '',
    hasSpecialTokens: protocol.definition.hasSpecialTokens === true,
  }
}

function renderRows(rows: readonly FormatRow[], columns: number, isColored: boolean): string {
  const { bold, dim, cyan } = createPalette(isColored)
  const nameWidth = Math.max(4, ...rows.map(({ name }) => name.length))
  const grammarWidth = Math.max(7, ...rows.map(({ grammar }) => grammar.length))
  const indent = nameWidth + grammarWidth + 7
  const room = Math.max(20, columns - indent)
  const lines = rows.map(({ name, aliases, family, grammar, hasSpecialTokens }) => {
    const [first = '', ...rest] = wrapText(family, room)
    const others = aliases.length ? wrapText(`also ${aliases.join(', ')}`, room) : []
    return [
      `${cyan(name.padEnd(nameWidth))}  ${grammar.padEnd(grammarWidth)}  ${hasSpecialTokens ? 'S' : ' '}  ${first}`,
      ...[...rest, ...others.map(dim)].map(line => ' '.repeat(indent) + line),
    ].join('\n')
  })
  const heading = bold(`${'name'.padEnd(nameWidth)}  ${'grammar'.padEnd(grammarWidth)}  S  models`)
  return `${[heading, ...lines].join('\n')}\n`
}
