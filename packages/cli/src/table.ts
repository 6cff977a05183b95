/** Aligns cells in columns, two spaces apart. The columns in `right` are aligned to the right. */
export function alignRows(
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string[] {
  const count = Math.max(...rows.map(row => row.length))
  const widths = Array.from({ length: count }, (_, i) =>
    Math.max(...rows.map(row => row[i]?.length ?? 0)),
  )
  return rows.map(row =>
    row
      .map((cell, i) =>
        right.includes(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}
