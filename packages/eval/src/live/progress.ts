import type { Output } from './surroundings.js'

export interface Progress {
  /** Counts one more run. */
  advance(outcome: 'pass' | 'fail' | 'infrastructure'): void
  /** Clears the progress line. */
  end(): void
}

const barWidth = 24
const plainEveryMs = 15_000

/** Shows the progress: in a terminal one line that is overwritten, in a pipe a line every 15 s. */
export function createProgress(
  output: Output,
  total: number,
  already: number,
  now: () => number = Date.now,
): Progress {
  const startedAt = now()
  let passed = 0
  let failed = 0
  let broken = 0
  let lastPlainAt = startedAt
  const describe = () => {
    const made = passed + failed + broken
    const done = already + made
    const judged = passed + failed
    const rate = judged ? `${((passed / judged) * 100).toFixed(0)} % pass` : 'no results yet'
    const left = made ? ((now() - startedAt) / made) * (total - done) : undefined
    const eta = left === undefined ? '' : `, ${formatDuration(left)} left`
    return `${done}/${total}, ${rate}${broken ? `, ${broken} could not be made` : ''}${eta}`
  }
  const draw = () => {
    const filled = Math.round(
      (barWidth * (already + passed + failed + broken)) / Math.max(1, total),
    )
    const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled)
    // A line that wraps could not be overwritten.
    output.write(
      `\r\u001b[K${`${bar} ${describe()}`.slice(0, Math.max(1, (output.columns ?? 80) - 1))}`,
    )
  }
  if (output.isTTY) draw()
  return {
    advance(outcome) {
      if (outcome === 'pass') passed++
      else if (outcome === 'fail') failed++
      else broken++
      if (output.isTTY) return draw()
      const isLast = already + passed + failed + broken === total
      if (!isLast && now() - lastPlainAt < plainEveryMs) return
      lastPlainAt = now()
      output.write(`${describe()}\n`)
    },
    end() {
      if (output.isTTY) output.write('\r\u001b[K')
    },
  }
}

export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
