import type { Surroundings } from './terminal.js'
import { parseOptions, UsageError } from './usage-error.js'

/** One option of a command. Its help and its completion are made from it. */
export interface OptionSpec {
  readonly type: 'string' | 'boolean'
  readonly about: string
  /** Placeholder for the value in the help: `FILE`, `NAME`. */
  readonly value?: string | undefined
  /** The values that a shell completes. */
  readonly completes?: 'protocol' | 'protocols' | 'file' | readonly string[] | undefined
  /** The option may be repeated. */
  readonly multiple?: boolean | undefined
  readonly short?: string | undefined
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>

/** A command as `runCli` uses it. */
export interface Command {
  readonly name: string
  readonly summary: string
  readonly options: OptionSpecs
  /** The arguments that are not options, for completion. */
  readonly operands?: 'file' | 'command' | readonly string[] | undefined
  /** Resolves to the exit code; rejects with UsageError. */
  run(surroundings: Surroundings): Promise<number>
}

/** A command as its file defines it. The help is made from it. */
export interface CommandDefinition<Name extends string> {
  readonly name: string
  readonly summary: string
  /** The usage line between the name and `[options]`. */
  readonly usage?: string | undefined
  readonly description: string
  readonly options: Readonly<Record<Name, OptionSpec>>
  readonly operands?: Command['operands']
  readonly maxOperands?: number | undefined
  /** The help after the options: examples and exit codes. */
  readonly more?: string | undefined
  run(context: CommandContext<Name>): Promise<number>
}

export interface CommandContext<Name extends string> extends Surroundings {
  readonly operands: readonly string[]
  flag(name: Name): boolean
  /** Returns the value of an option; undefined if it was not given. */
  text(name: Name): string | undefined
  list(name: Name): readonly string[]
  /** Returns the value of an option as a whole number of at least 1. */
  count(name: Name, otherwise: number): number
}

const helpOption: OptionSpec = { type: 'boolean', short: 'h', about: 'show this help' }

export function defineCommand<Name extends string>(definition: CommandDefinition<Name>): Command {
  const { name, summary, operands, maxOperands = operands ? 1 : 0, run } = definition
  const options: OptionSpecs = { ...definition.options, help: helpOption }
  return {
    name,
    summary,
    options,
    operands,
    async run(surroundings) {
      const { values, positionals } = parseOptions({
        args: [...surroundings.argv],
        options: Object.fromEntries(
          Object.entries(options).map(([key, spec]) => [key, parseConfig(spec)]),
        ),
        allowPositionals: true,
      })
      if (values.help) {
        surroundings.stdout.write(renderHelp(definition, options))
        return 0
      }
      if (positionals.length > maxOperands) throw tooMany(name, maxOperands, positionals)
      const text = (key: string) => {
        const value = values[key]
        return typeof value === 'string' ? value : undefined
      }
      return run({
        ...surroundings,
        operands: positionals,
        flag: key => values[key] === true,
        text,
        list: key => [values[key] ?? []].flat().filter(value => typeof value === 'string'),
        count: (key, otherwise) => readCount(key, text(key), otherwise),
      })
    },
  }
}

function parseConfig({ type, short, multiple = false }: OptionSpec) {
  return { type, multiple, ...(short === undefined ? {} : { short }) }
}

function tooMany(name: string, max: number, operands: readonly string[]): UsageError {
  if (max === 0)
    return new UsageError(`${name} takes only options, not arguments: ${operands.join(' ')}`)
  return new UsageError(
    `${name} takes ${max === 1 ? 'one argument' : `${max} arguments`}, not ${operands.length}: ${operands.join(' ')}`,
  )
}

function readCount(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1) {
    throw new UsageError(
      `--${name} is ${JSON.stringify(text)}; expected a whole number of at least 1.`,
    )
  }
  return count
}

const HELP_COLUMNS = 80

function renderHelp(definition: CommandDefinition<string>, options: OptionSpecs): string {
  const { name, usage, description, more } = definition
  const rows = Object.entries(options).map(([key, { short, value, about }]) => {
    const names = `${short ? `-${short}, ` : ''}--${key}${value ? ` ${value}` : ''}`
    return { names, about }
  })
  const sections = [
    `Usage: toolglot ${name}${usage ? ` ${usage}` : ''} [options]`,
    wrapText(description, HELP_COLUMNS).join('\n'),
    `Options:\n${renderRows(rows)}`,
    ...(more ? [more.trimEnd()] : []),
  ]
  return `${sections.join('\n\n')}\n`
}

/** Renders names on the left and their meaning on the right, at most 80 columns wide. */
export function renderRows(
  rows: readonly { readonly names: string; readonly about: string }[],
): string {
  const width = Math.max(...rows.map(({ names }) => names.length))
  return rows
    .map(({ names, about }) => {
      const [first = '', ...rest] = wrapText(about, HELP_COLUMNS - width - 4)
      return [
        `  ${names.padEnd(width)}  ${first}`,
        ...rest.map(line => ' '.repeat(width + 4) + line),
      ].join('\n')
    })
    .join('\n')
}

/** Breaks a text into lines at its spaces. Its own line breaks stay. */
export function wrapText(text: string, columns: number): string[] {
  return text.split('\n').flatMap(paragraph => {
    const lines: string[] = []
    for (const word of paragraph.split(' ')) {
      const last = lines.at(-1)
      if (last !== undefined && last.length + 1 + word.length <= columns)
        lines[lines.length - 1] = `${last} ${word}`
      else lines.push(word)
    }
    return lines
  })
}
