import { type FunctionTool, readTools as readToolList } from '@toolglot/parser'
import { CommandError } from '../usage-error.js'
import { readJsonFile } from './read-text.js'

/** Reads the tools of a file, in any of the usual shapes. */
export async function readTools(file: string): Promise<FunctionTool[]> {
  const json = await readJsonFile(file)
  try {
    return readToolList(json)
  } catch (error) {
    if (error instanceof TypeError) throw new CommandError(`${file}: ${error.message}`)
    throw error
  }
}
