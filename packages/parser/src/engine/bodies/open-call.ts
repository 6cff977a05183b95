import type { ArgumentWriter } from '../argument-writer.js'
import type { CallPort } from '../body.js'

/** Opens a call of the tool that was written, or of the one that is forced; then the name that was written is told of. */
export function openCall(port: CallPort, writtenName: string, forcedToolName: string | undefined): ArgumentWriter {
  const toolName = forcedToolName ?? writtenName
  const writer = port.open(toolName)
  if (toolName !== writtenName) {
    port.report({ code: 'forced-name', message: `the model called ${JSON.stringify(writtenName)} instead` })
  }
  return writer
}
