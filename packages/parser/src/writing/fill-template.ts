import { escapeMarks } from './json-text.js'

type TemplateValues = Readonly<Record<string, string | number>>

/**
 * Fills in a template. `$name` is replaced by the value of that name, and `"$name"` by the same as a
 * JSON string that contains none of the marks. Holes without a value are left as they are.
 */
export function fillTemplate(
  template: string,
  values: TemplateValues,
  marks: readonly string[] = [],
): string {
  return template.replace(/("?)\$(\w+)\1/g, (hole: string, quote: string, name: string) => {
    const value = values[name]
    if (value === undefined) return hole
    return quote ? escapeMarks(JSON.stringify(String(value)), marks) : String(value)
  })
}
