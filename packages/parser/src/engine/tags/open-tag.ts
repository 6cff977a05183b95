import { putText, Token, type ValueSink } from '../values/tokens.js'

/** An open tag: `<user name="Ann">`. */
export interface Tag {
  /** '' if there is no tag. */
  readonly name: string
  /** The attributes as the model wrote them: ` name="Ann"`. */
  readonly attributes: string
  /** `<user/>` */
  readonly isSelfClosing: boolean
  /** How many characters the tag has. */
  readonly length: number
}

export const noTag: Tag = { name: '', attributes: '', isSelfClosing: false, length: 0 }

/** `user`, `web-search`, `0`, `größe` */
const NAME = '[\\p{L}\\p{N}_][^\\s<>/"\'=(){}]*'
/** ` name` in ` name="Ann"`, with the whitespace around it. */
const KEY = '\\s+[\\p{L}_:][\\p{L}\\p{N}_:.-]*\\s*'
/** ` name="Ann" role='x'` */
const ATTRIBUTES = `(?:${KEY}=\\s*(?:"[^"]*"|'[^']*'))*`
/** `name="Ann"`: the key, and the value with its quotes. */
const attribute = /([^\s=]+)\s*=\s*("[^"]*"|'[^']*')/g

/** Makes a look at the part of an open tag after its `<`: `user name="Ann">`. */
function createTagLook(namePattern: string) {
  const complete = new RegExp(`^(${namePattern})(${ATTRIBUTES})\\s*(/?)>`, 'u')
  // `us`, `user /`, `user na`, `user name="An`
  const partial = new RegExp(
    `^${namePattern}${ATTRIBUTES}(?:\\s*/?|${KEY}(?:=\\s*(?:"[^"]*|'[^']*)?)?)$`,
    'u',
  )
  return (text: string): Tag | 'wait' => {
    const match = complete.exec(text)
    if (match) {
      const [found, name = '', attributes = '', slash] = match
      return { name, attributes, isSelfClosing: slash === '/', length: found.length }
    }
    return text === '' || partial.test(text) ? 'wait' : noTag
  }
}

const matchNamedTag = createTagLook(NAME)

/** Looks at the rest of an open tag after its name: ` name="Ann">`. `noTag` if it is not one. */
export const matchTagRest = createTagLook('')

/** Looks at the open tag that a text begins with. Its name is '' if there is none. */
export function matchOpenTag(bracket: string, text: string): Tag | 'wait' {
  if (!text.startsWith(bracket)) return bracket.startsWith(text) ? 'wait' : noTag
  const tag = matchNamedTag(text.slice(bracket.length))
  if (tag === 'wait') return 'wait'
  const { name, attributes, isSelfClosing, length } = tag
  return { name, attributes, isSelfClosing, length: bracket.length + length }
}

/** Returns the attributes, or only those that have one of these names, as matches of `attribute`. */
export const attributesOf = ({ attributes }: Tag, names?: readonly string[]) =>
  [...attributes.matchAll(attribute)].filter(([, name = '']) => !names || names.includes(name))

/**
 * `<get_weather city="Paris">` Puts the attributes that are arguments (decision 67). Returns their
 * names. The last of a name counts.
 */
export function putAttributes(tag: Tag, names: readonly string[], put: ValueSink): Set<string> {
  const values = new Map(
    attributesOf(tag, names).map(([, name = '', value = '']) => [name, value.slice(1, -1)]),
  )
  for (const [name, value] of values) {
    put(Token.key, name)
    putText(Token.beginUntyped, value, put)
  }
  return new Set(values.keys())
}

/** `get_weather id="1"` Returns a name without the attributes after it. */
export const splitAttributes = (head: string): string => attributedName.exec(head)?.[1] ?? head
const attributedName = new RegExp(`^([^\\s="']+)(?:${KEY}=\\s*(?:"[^"]*"|'[^']*'))+\\s*$`, 'u')
