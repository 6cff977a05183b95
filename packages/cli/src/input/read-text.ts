import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createLineIndex } from '../line-index.js'
import type { Surroundings } from '../terminal.js'
import { CommandError } from '../usage-error.js'
import { findJsonFault } from './json-fault.js'

/** Yields the text of a file as it arrives. Reads stdin if there is no file or it is `-`. */
export async function* readChunks(
  file: string | undefined,
  { stdin, stderr }: Pick<Surroundings, 'stdin' | 'stderr'>,
): AsyncGenerator<string> {
  const isStdin = file === undefined || file === '-'
  if (isStdin && stdin?.isTTY)
    stderr.write('toolglot: reading from the terminal; end with Ctrl-D\n')
  // Two pieces may share a character.
  const decoder = new TextDecoder()
  const source: AsyncIterable<unknown> | Iterable<unknown> = isStdin
    ? (stdin ?? [])
    : createReadStream(file)
  try {
    for await (const piece of source) {
      const text =
        piece instanceof Uint8Array ? decoder.decode(piece, { stream: true }) : String(piece)
      if (text !== '') yield text
    }
  } catch (error) {
    throw cannotRead(isStdin ? 'stdin' : file, error)
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}

export async function readAllText(
  file: string | undefined,
  surroundings: Pick<Surroundings, 'stdin' | 'stderr'>,
): Promise<string> {
  const pieces: string[] = []
  for await (const chunk of readChunks(file, surroundings)) pieces.push(chunk)
  return pieces.join('')
}

/** Reads a JSON file. The error for one that is not JSON names line and column. */
export async function readJsonFile(file: string): Promise<unknown> {
  return parseJsonText(await readFileText(file), file)
}

export async function readFileText(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).replace(/^\ufeff/, '')
  } catch (error) {
    throw cannotRead(file, error)
  }
}

export function parseJsonText(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const fault = findJsonFault(text, 0)
    if (!fault)
      throw new CommandError(
        `${name} is not JSON: ${error instanceof Error ? error.message : String(error)}`,
      )
    const lines = createLineIndex()
    lines.add(text)
    const { line, column } = lines.placeOf(fault.at)
    throw new CommandError(`${name} is not JSON: line ${line}, column ${column}: ${fault.message}`)
  }
}

function cannotRead(name: string, error: unknown): CommandError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'the file does not exist',
    EISDIR: 'it is a directory',
    EACCES: 'permission denied',
  }
  const reason = typeof code === 'string' ? reasons[code] : undefined
  return new CommandError(
    `cannot read ${name}: ${reason ?? (error instanceof Error ? error.message : String(error))}`,
  )
}
