import { createInterface } from 'node:readline/promises'

/**
 * Asks in the terminal whether a call may run.
 *
 * @param {{ toolName: string, input: unknown }} toolCall
 * @param {readonly string[]} repairs
 */
export async function askPerson({ toolName, input }, repairs) {
  console.log(`The model meant ${toolName} ${JSON.stringify(input)}, but wrote it with mistakes:`)
  for (const repair of repairs) console.log(`- ${repair}`)
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question('Run it? [y/N] ')
  terminal.close()
  return /^y/i.test(answer)
}
