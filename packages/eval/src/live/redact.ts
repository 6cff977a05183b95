/**
 * Removes secrets from texts: an endpoint may repeat the key in a message. Secrets below 8 characters
 * are placeholders like "none".
 */
export function createRedact(secrets: readonly (string | undefined)[]): (text: string) => string {
  const known = secrets.filter(secret => secret !== undefined && secret.length >= 8)
  return text =>
    known.reduce<string>((left, secret) => left.replaceAll(secret ?? '', '[key]'), text)
}
