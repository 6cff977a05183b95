import { expect, it } from 'vitest'
import { fenceMark } from '../../src/engine/code-fence.js'
import { jsonCalls } from '../../src/engine/json/json-calls.js'
import { createToolShapes } from '../../src/protocols/request-scanner.js'
import { allSplits, describeChunks } from '../support/chunks.js'
import { type Piece, scanPieces } from '../support/read-answer.js'

const tools = createToolShapes([{ type: 'function', name: 'f', inputSchema: {} }])
const marks = [
  fenceMark('```', [{ text: '<call>' }]),
  fenceMark('```'),
  fenceMark('~~~'),
  ...jsonCalls({ open: '<call>', close: '</call>' })(tools),
]

const shown = '<call>{"name": "f", "arguments": {}}</call>'
const call = { tool: 'f', input: {} }

// biome-ignore format: a table
it.each<[string, Piece[]]>([
  // text                                            pieces
  // A call in a fence is shown. After the fence, calls count again.
  [`So:\n\`\`\`\n${shown}\n\`\`\``,                  [`So:\n\`\`\`\n${shown}\n\`\`\``]],
  [`So:\n\`\`\`\n${shown}\n\`\`\`\n${shown}`,        [`So:\n\`\`\`\n${shown}\n\`\`\`\n`, call]],
  [`So:\n\`\`\`js\n${shown}\n\`\`\`\n${shown}`,      [`So:\n\`\`\`js\n${shown}\n\`\`\`\n`, call]],
  [`So:\n~~~\n${shown}\n~~~\n${shown}`,              [`So:\n~~~\n${shown}\n~~~\n`, call]],
  [`So:\n- \`\`\`\n  ${shown}\n  \`\`\`\n${shown}`,  [`So:\n- \`\`\`\n  ${shown}\n  \`\`\`\n`, call]],
  // A fence that is never closed.
  [`So:\n\`\`\`\n${shown}`,                          [`So:\n\`\`\`\n${shown}`]],
  // A fence that is closed at the end of a line.
  [`So:\n\`\`\`\na \`\`\`\n${shown}`,                ['So:\n```\na ```\n', call]],
  [`So:\n\`\`\`\na \`\`\` b\n${shown}`,              [`So:\n\`\`\`\na \`\`\` b\n${shown}`]],
  // A longer fence contains a shorter one.
  [`So:\n\`\`\`\`\n\`\`\`\n${shown}\n\`\`\`\`\n${shown}`, [`So:\n\`\`\`\`\n\`\`\`\n${shown}\n\`\`\`\`\n`, call]],
  // Code in a line is not a fence, and neither are backticks after text.
  [`So:\n\`\`\`js\` ${shown}`,                       ['So:\n```js` ', call]],
  [`So: \`\`\` ${shown}`,                            ['So: ``` ', call]],
  // At the start of the answer a call may be the first text of a fence.
  [`\`\`\`\n${shown}\n\`\`\``,                       ['```\n', call, '\n```']],
  [`\`\`\`\na ${shown}\n\`\`\``,                     [`\`\`\`\na ${shown}\n\`\`\``]],
])('%j', (text, pieces) => {
  for (const chunks of allSplits(text)) {
    const read = scanPieces({ tools, marks }, chunks)
    expect(read, describeChunks(chunks)).toEqual({ pieces, problems: [] })
  }
})
