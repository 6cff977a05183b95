/**
 * Takes secrets out of texts: an endpoint may repeat the key in a message. Short ones are words
 * like "none".
 */
export function createRedact(secrets: readonly (string | undefined)[]): (text: string) => string {
  const known = secrets.filter(secret => secret !== undefined && secret.length >= 8)
  return text =>
    known.reduce<string>((left, secret) => left.replaceAll(secret ?? '', '[key]'), text)
}
