import type { Command, OptionSpec } from '../command.js'
import { allProtocolNames } from '../protocol-option.js'

/** Writes the script for bash 3.2 and newer. It does not need the package bash-completion. */
export function bashScript(commands: readonly Command[]): string {
  const names = [...commands.map(({ name }) => name), 'help'].join(' ')
  const valueCases = commands.flatMap(({ name, options }) =>
    Object.entries(options)
      .filter(([, { type }]) => type === 'string')
      .map(([key, spec]) => `    ${name}:--${key}) ${reply(spec.completes)}; return ;;`),
  )
  const operandCases = commands.map(
    ({ name, options, operands }) =>
      `    ${name})
      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "${optionNames(options)}" -- "$cur"))
      else ${reply(operands)}; fi ;;`,
  )
  return `# bash completion for toolglot; created by "toolglot completion bash"
_toolglot() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]}
  local protocols="${allProtocolNames().join(' ')}"
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "${names} --help --version" -- "$cur"))
    return
  fi
  case $command:$prev in
${valueCases.join('\n')}
  esac
  case $command in
${operandCases.join('\n')}
    help) COMPREPLY=($(compgen -W "${names}" -- "$cur")) ;;
  esac
}
complete -o bashdefault -F _toolglot toolglot
`
}

function optionNames(options: Command['options']): string {
  return Object.keys(options)
    .map(key => `--${key}`)
    .join(' ')
}

function reply(what: OptionSpec['completes'] | Command['operands']): string {
  if (what === undefined || what === 'command') return ':'
  if (what === 'file')
    return `local IFS=$'\\n'; compopt -o filenames 2>/dev/null || :; COMPREPLY=($(compgen -f -- "$cur"))`
  // `hermes,qw|`: only the name after the last comma is completed.
  if (what === 'protocols')
    return `COMPREPLY=($(compgen -P "\${cur%"\${cur##*,}"}" -W "$protocols" -- "\${cur##*,}"))`
  const words = what === 'protocol' ? '$protocols' : what.join(' ')
  return `COMPREPLY=($(compgen -W "${words}" -- "$cur"))`
}
