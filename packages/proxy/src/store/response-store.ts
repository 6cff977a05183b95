/**
 * Where responses are stored: texts by key. A storage of `unstorage` fits, and so does any object
 * with these three methods. Several proxies that share one can continue the responses of each other.
 */
export interface ResponseStore {
  /** Returns the text, or its value if the store parses JSON; nothing if there is none. */
  getItem(key: string): unknown
  /** Stores a text. `ttl`: how many seconds the configuration keeps it; a store may ignore it. */
  setItem(key: string, text: string, options: { readonly ttl: number }): unknown
  removeItem(key: string): unknown
}
