import { writeCasesOf } from '../case.js'

const write = writeCasesOf('text')

const longSql = `WITH monthly AS (
  SELECT date_trunc('month', o.created_at) AS month,
         c.country,
         sum(o.total) FILTER (WHERE o.status <> 'cancelled') AS revenue,
         count(DISTINCT o.customer_id) AS buyers
  FROM sales.orders o
  JOIN sales.customers c ON c.id = o.customer_id
  WHERE o.created_at >= now() - interval '18 months'
    AND c.email NOT LIKE '%@example.com'
    AND o."channel" IN ('web', 'app')
  GROUP BY 1, 2
)
SELECT month, country, revenue,
       revenue / nullif(lag(revenue) OVER (PARTITION BY country ORDER BY month), 0) - 1 AS growth,
       buyers
FROM monthly
WHERE revenue > 1000
ORDER BY month DESC, revenue DESC`

const python = `"""Loads readings of the sensors and keeps the last one of each minute."""

import csv
import re
from datetime import datetime
from pathlib import Path

LINE = re.compile(r"^(?P<sensor>[a-z]+\\d{2})\\s+(?P<value>-?\\d+\\.\\d+)$")


def load(path: Path, *, delimiter: str = "\\t") -> dict[str, float]:
    latest: dict[str, float] = {}
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.reader(file, delimiter=delimiter):
            match = LINE.match(row[1])
            if match is None:
                print(f"skipped {row!r} at {datetime.now():%H:%M}")
                continue
            latest[match["sensor"]] = float(match["value"])
    return latest


if __name__ == "__main__":
    for name, value in sorted(load(Path("readings.tsv")).items()):
        print(f'{name}: {value:>8.2f} "ok"')
`

const typescript = `import { createHash } from 'node:crypto'

export interface CacheEntry<Value> {
  readonly value: Value
  readonly expiresAt: number
}

/** A cache that forgets what is older than \`ttlMs\`. */
export function createCache<Value>(ttlMs: number, now: () => number = Date.now) {
  const entries = new Map<string, CacheEntry<Value>>()
  const keyOf = (parts: readonly string[]) => createHash('sha256').update(parts.join('\\u0000')).digest('hex')

  return {
    get(...parts: string[]): Value | undefined {
      const entry = entries.get(keyOf(parts))
      if (!entry || entry.expiresAt <= now()) return undefined
      return entry.value
    },
    set(value: Value, ...parts: string[]): void {
      entries.set(keyOf(parts), { value, expiresAt: now() + ttlMs })
    },
    size: () => [...entries.values()].filter(({ expiresAt }) => expiresAt > now()).length,
  }
}
`

const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Opening hours &amp; contact</title>
    <style>
      body { font: 16px/1.5 system-ui; margin: 2rem auto; max-width: 40rem }
      td + td { text-align: right }
    </style>
  </head>
  <body>
    <h1 class="title">Opening hours</h1>
    <table>
      <tr><td>Mon &ndash; Fri</td><td>9:00 &ndash; 18:30</td></tr>
      <tr><td>Sat</td><td>10:00 &ndash; 14:00</td></tr>
    </table>
    <p>Call <a href="tel:+4930555010">030&nbsp;555&nbsp;010</a> or <button onclick="alert('Thanks!')">write</button>.</p>
    <script>
      if (new Date().getDay() === 0 && innerWidth > 600) document.title = "Closed today"
    </script>
  </body>
</html>
`

/** Text that machines read, which needs the most escapes. */
export const codeCases = [
  write('long SQL', ['query_database', { sql: longSql, max_rows: 200, explain: false }]),
  write('regular expression', [
    'search_code',
    {
      pattern: String.raw`\b(?:get|set)Item\(\s*["'\x60]([\w.-]+)["'\x60]\s*\)`,
      include: ['web/**/*.{js,ts}'],
      case_sensitive: false,
      context_lines: 2,
    },
  ]),
  write('Windows path', ['read_file', { path: String.raw`C:\Users\build\repo\new\table.csv` }]),
  write('shell with quotes', [
    'run_command',
    {
      command: String.raw`git log --since="2 weeks ago" --pretty=format:'%h|%an|%s' | awk -F'|' '{ print $2 "\t" $3 }' | sort | uniq -c`,
    },
  ]),
  write('Python file', ['write_file', { path: 'tools/load_readings.py', content: python }]),
  write('TypeScript file', [
    'write_file',
    { path: 'src/cache/create-cache.ts', content: typescript },
  ]),
  write('HTML file', ['write_file', { path: 'public/hours.html', content: html }]),
  write('JSON file', [
    'write_file',
    {
      path: '.vscode/settings.json',
      content: `${JSON.stringify({ 'editor.tabSize': 2, 'files.exclude': { '**/dist': true, '**/*.map': true }, 'search.useIgnoreFiles': true }, undefined, 2)}\n`,
    },
  ]),
  write('JSON in a request', [
    'call_api',
    {
      method: 'POST',
      url: 'https://hooks.example.com/services/T024/B771',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        text: 'Deploy of "api" finished ✅',
        blocks: [{ type: 'section', fields: ['version: 4.12.0', 'path: C:\\deploy\\api'] }],
        silent: false,
      }),
    },
  ]),
  write('edit of several lines', [
    'edit_file',
    {
      path: 'src/http/retry.ts',
      edits: [
        {
          old_text:
            '  for (let i = 0; i < 3; i++) {\n    const response = await fetch(url)\n    if (response.ok) return response\n  }\n',
          new_text:
            '  for (let attempt = 1; attempt <= maxAttempts; attempt++) {\n    const response = await fetch(url, { signal })\n    if (response.ok || response.status < 500) return response\n    await sleep(2 ** attempt * 100)\n  }\n',
        },
        {
          old_text: "throw new Error('failed')",
          new_text: "throw new HttpError('gave up on ' + url, { cause: lastError })",
        },
      ],
    },
  ]),
  write('heredoc', [
    'run_command',
    {
      command:
        "cat > .env <<'EOF'\nAPI_URL=\"https://api.example.com/v1\"\nGREETING='it''s me'\nPATTERN=^\\d+$\nEOF\nchmod 600 .env",
      cwd: 'deploy',
    },
  ]),
]
