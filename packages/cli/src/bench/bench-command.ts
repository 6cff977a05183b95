import { defineCommand } from '../command.js'
import { jsonText } from '../json-text.js'
import { createPalette } from '../palette.js'
import { jsonOption, readProtocols } from '../protocol-option.js'
import { alignRows } from '../table.js'
import { ExitCode, hasColor } from '../terminal.js'
import { measureStreams } from './measure-streams.js'

export const benchCommand = defineCommand({
  name: 'bench',
  summary: 'how fast the parser is on your machine',
  description: `Measures how long the middleware takes for prose and for prose with calls, streamed in pieces of 4 characters, relative to an empty TransformStream on the same pieces (1.00 = a stream that does nothing). The figures are medians; they vary on a busy machine.

How reliable your model is with a format is a different question: "npm run bench:live" in toolglot's repository measures that on your endpoint; see docs/bench-live.md there.`,
  options: {
    protocols: {
      type: 'string',
      value: 'A,B',
      completes: 'protocols',
      about: 'the formats (default: auto,hermes,qwen3_coder,morph_xml,wire)',
    },
    chars: {
      type: 'string',
      value: 'N',
      about: 'the length of the text in characters (default: 50000)',
    },
    reps: { type: 'string', value: 'N', about: 'the number of repetitions (default: 5)' },
    json: jsonOption,
  },
  more: 'Exit codes: 0 done, 2 wrong usage.',
  async run({ text, flag, count, ...surroundings }) {
    const { stdout } = surroundings
    const protocols = readProtocols(text('protocols') ?? 'auto,hermes,qwen3_coder,morph_xml,wire')
    const plan = { chars: count('chars', 50_000), repetitions: count('reps', 5) }
    const rows = await measureStreams(protocols, plan)
    if (flag('json')) {
      stdout.write(`${jsonText({ node: process.version, ...plan, protocols: rows }, 2)}\n`)
      return ExitCode.success
    }
    const { bold } = createPalette(hasColor(surroundings))
    const [heading = '', ...lines] = alignRows(
      [
        ['format', 'prose', 'MB/s', 'calls', 'MB/s'],
        ...rows.map(row => [
          row.protocol,
          ...[row.text, row.calls].flatMap(speed => [
            speed.versusEmpty.toFixed(2),
            speed.megabytesPerSecond.toFixed(1),
          ]),
        ]),
      ],
      [1, 2, 3, 4],
    )
    stdout.write('Time relative to an empty stream (1.00), and megabytes of text per second.\n')
    stdout.write(
      `Node ${process.version}, ${plan.chars} characters, medians of ${plan.repetitions}.\n\n`,
    )
    stdout.write(`${bold(heading)}\n${lines.join('\n')}\n`)
    return ExitCode.success
  },
})
