import type { Command, OptionSpec } from '../command.js'
import { allProtocolNames } from '../protocol-option.js'

export function zshScript(commands: readonly Command[]): string {
  const described = [...commands, { name: 'help', summary: 'the help of a command' }]
  const list = described.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`).join('\n')
  const cases = commands.map(({ name, options, operands }) => {
    const specs = Object.entries(options).map(
      ([key, option]) => `        ${quote(optionSpec(key, option))}`,
    )
    const operand = operands === 'file' ? ["        '*:file:_files'"] : wordsOperand(operands)
    return `    ${name})\n      _arguments \\\n${[...specs, ...operand].join(' \\\n')}\n      ;;`
  })
  return `#compdef toolglot
# zsh completion for toolglot; created by "toolglot completion zsh"
_toolglot_protocols() {
  local -a protocols=(${allProtocolNames().join(' ')})
  _describe 'format' protocols
}
_toolglot() {
  local -a commands=(
${list}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    _arguments '--help[show the help]' '--version[show the version]'
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
    help) _describe 'command' commands ;;
  esac
}
if [ "$funcstack[1]" = "_toolglot" ]; then _toolglot "$@"; else compdef _toolglot toolglot; fi
`
}

function optionSpec(key: string, { about, value, completes, type, multiple }: OptionSpec): string {
  const words = about.replace(/[[\]:\\]/g, char => `\\${char}`)
  const name = `${multiple ? '*' : ''}--${key}[${words}]`
  return type === 'boolean' ? name : `${name}:${value ?? 'value'}:${action(completes)}`
}

function action(completes: OptionSpec['completes']): string {
  if (completes === undefined) return ''
  if (completes === 'file') return '_files'
  if (completes === 'protocols') return '_sequence _toolglot_protocols'
  return completes === 'protocol' ? '_toolglot_protocols' : `(${completes.join(' ')})`
}

function wordsOperand(operands: Command['operands']): string[] {
  return Array.isArray(operands) && operands.length
    ? [`        '1:argument:(${operands.join(' ')})'`]
    : []
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
