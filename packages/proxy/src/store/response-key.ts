/** The key of a response in a store: `toolglot:response:CLIENT:STEM`. */
export function responseKey(client: string, stem: string): string {
  return `toolglot:response:${client}:${stem}`
}

/** Returns the part of a key that is the same for all responses of a client. */
export function clientOfKey(key: string): string {
  return key.slice(0, key.lastIndexOf(':') + 1)
}
