import type { Command, OptionSpec } from '../command.js'
import { allProtocolNames } from '../protocol-option.js'

export function fishScript(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).join(' ')
  const lines = commands.flatMap(({ name, summary, options, operands }) => [
    `complete -c toolglot -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`,
    ...Object.entries(options).map(([key, spec]) => optionLine(name, key, spec)),
    ...operandLines(name, operands),
  ])
  return `# fish completion for toolglot; created by "toolglot completion fish"
set -g __toolglot_protocols ${allProtocolNames().join(' ')}
complete -c toolglot -f
complete -c toolglot -n __fish_use_subcommand -l help -s h -d 'show the help'
complete -c toolglot -n __fish_use_subcommand -l version -d 'show the version'
complete -c toolglot -n __fish_use_subcommand -a help -d 'the help of a command'
complete -c toolglot -n '__fish_seen_subcommand_from help' -a '${names}'
${lines.join('\n')}
`
}

function optionLine(
  command: string,
  key: string,
  { about, short, type, completes }: OptionSpec,
): string {
  const shortName = short === undefined ? '' : ` -s ${short}`
  const start = `complete -c toolglot -n '__fish_seen_subcommand_from ${command}' -l ${key}${shortName} -d ${quote(about)}`
  return type === 'boolean' ? start : `${start} ${values(completes)}`
}

function values(completes: OptionSpec['completes']): string {
  if (completes === undefined) return '-x'
  if (completes === 'file') return '-r -F'
  if (completes === 'protocols') return "-x -a '(__fish_append , $__toolglot_protocols)'"
  return completes === 'protocol'
    ? "-x -a '$__toolglot_protocols'"
    : `-x -a '${completes.join(' ')}'`
}

function operandLines(command: string, operands: Command['operands']): string[] {
  const start = `complete -c toolglot -n '__fish_seen_subcommand_from ${command}'`
  if (operands === 'file') return [`${start} -F`]
  return Array.isArray(operands) && operands.length ? [`${start} -a '${operands.join(' ')}'`] : []
}

const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
