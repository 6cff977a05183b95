/** True for text that is JSON from end to end. The value itself is thrown away. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
