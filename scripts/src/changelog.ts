/**
 * Returns what is wrong with the newest section of CHANGELOG.md. It must be that of the version, with
 * the day of its release and at least one line: `## 0.1.0 (2026-11-20)`.
 */
export function findChangelogProblem(text: string, version: string): string | undefined {
  const [, heading = '', lines = ''] = /^## (.*)\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(text) ?? []
  const [, found, note] = /^(\S+)(?: \((.*)\))?$/.exec(heading) ?? []
  if (found !== version) {
    return `CHANGELOG.md: the newest section is "${heading}", expected one of ${version}`
  }
  if (!isDay(note)) {
    return `CHANGELOG.md: the section of ${version} has no day, expected "## ${version} (year-month-day)"`
  }
  if (!/^- /m.test(lines)) return `CHANGELOG.md: the section of ${version} is empty`
  return undefined
}

function isDay(note: string | undefined): boolean {
  return note !== undefined && /^\d{4}-\d\d-\d\d$/.test(note) && !Number.isNaN(Date.parse(note))
}
