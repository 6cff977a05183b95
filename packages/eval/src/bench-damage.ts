import { parseArgs } from 'node:util'
import { listProtocols } from '@toolglot/parser'
import {
  addCounts,
  type DamageCount,
  type FormatDamage,
  measureDamage,
  type ReadText,
} from './damage/measure-damage.js'

const help = `Damages one character of markup in calls of every format (dropped, doubled, swapped or inserted, never inside a
value), and counts how often a call runs that nobody wrote.

  npm run build && npm run bench:damage -- [options] [FORMAT ...]

  --every N      only one text in N, chosen at random by a fixed seed (default: 1)
  --show N       show so many texts of each format that run a wrong call (default: 0)
  --lost N       show so many that run the right calls only with the tolerance eager (default: 0)
  --help         show this help

Columns: texts, then for the tolerances safe and eager how many run the right calls and how many run a wrong one.`

function main(): number {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      every: { type: 'string', default: '1' },
      show: { type: 'string', default: '0' },
      lost: { type: 'string', default: '0' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(help)
    return 0
  }
  const [every, shown, lost] = [Number(values.every), Number(values.show), Number(values.lost)]
  const unknown = positionals.filter(name => !listProtocols().includes(name))
  if (!(every >= 1) || !(shown >= 0) || !(lost >= 0) || unknown.length > 0) {
    console.error(
      unknown.length > 0
        ? `There is no format ${unknown.join(', ')}; the formats are ${listProtocols().join(', ')}.`
        : '--every must be a number of at least 1, --show and --lost numbers of at least 0.',
    )
    return 2
  }
  console.log('| format | texts | right, safe | right, eager | wrong, safe | wrong, eager |')
  console.log('|---|---|---|---|---|---|')
  const all: FormatDamage[] = []
  for (const name of positionals.length > 0 ? positionals : listProtocols()) {
    const measured = measureDamage(name, every)
    all.push(measured)
    console.log(renderRow(name, measured.safe, measured.eager))
    showTexts('runs', measured.wrongTexts, shown)
    showTexts('runs only', measured.lostTexts, lost)
  }
  const [safe, eager] = [addCounts(all.map(each => each.safe)), addCounts(all.map(e => e.eager))]
  console.log(renderRow('all', safe, eager))
  return 0
}

function showTexts(verb: string, texts: readonly ReadText[], count: number): void {
  for (const { kind, at, text, calls } of pickEvenly(texts, count)) {
    console.log(`    ${kind} at ${at}: ${JSON.stringify(text)}`)
    console.log(`      ${verb} ${JSON.stringify(calls)}`)
  }
}

const renderRow = (name: string, safe: DamageCount, eager: DamageCount) =>
  `| ${name} | ${safe.texts} | ${share(safe, 'right')} | ${share(eager, 'right')} | ${share(safe, 'wrong')} | ${share(eager, 'wrong')} |`

const share = (counts: DamageCount, key: 'right' | 'wrong') =>
  `${((100 * counts[key]) / Math.max(1, counts.texts)).toFixed(2)} %`

/** Some of the items, from all over the list. */
function pickEvenly<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(1, Math.ceil(items.length / Math.max(1, count)))
  return items.filter((_, i) => i % step === 0).slice(0, count)
}

process.exitCode = main()
