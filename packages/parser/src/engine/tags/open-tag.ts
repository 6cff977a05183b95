import { putText, Token, type ValueSink } from '../values/tokens.js'

/** An open tag with its attributes as they stand, and how many characters it takes. */
export type Tag = Readonly<typeof noTag>

export const noTag = { name: '', attributes: '', isSelfClosing: false, length: 0 }

const NAME = '[\\p{L}\\p{N}_][^\\s<>/"\'=(){}]*'
const KEY = '\\s+[\\p{L}_:][\\p{L}\\p{N}_:.-]*\\s*'
const ATTRIBUTES = `(?:${KEY}=\\s*(?:"[^"]*"|'[^']*'))*`
const attribute = /([^\s=]+)\s*=\s*("[^"]*"|'[^']*')/g

/** Looks at an open tag from its name on. */
function createTagLook(namePattern: string) {
  const whole = new RegExp(`^(${namePattern})(${ATTRIBUTES})\\s*(/?)>`, 'u')
  const begun = new RegExp(
    `^${namePattern}${ATTRIBUTES}(?:\\s*/?|${KEY}(?:=\\s*(?:"[^"]*|'[^']*)?)?)$`,
    'u',
  )
  return (text: string): Tag | 'wait' => {
    const [found, name = '', attributes = '', slash] = whole.exec(text) ?? []
    if (found !== undefined)
      return { name, attributes, isSelfClosing: slash === '/', length: found.length }
    return text === '' || begun.test(text) ? 'wait' : noTag
  }
}

const lookAtName = createTagLook(NAME)
/** Looks at the rest of an open tag. */
export const matchTagRest = createTagLook('')

/** Tells which open tag a text begins with; one without a name is none. */
export function matchOpenTag(bracket: string, text: string): Tag | 'wait' {
  if (!text.startsWith(bracket)) return bracket.startsWith(text) ? 'wait' : noTag
  const tag = lookAtName(text.slice(bracket.length))
  return tag === 'wait' ? tag : { ...tag, length: bracket.length + tag.length }
}

/** The attributes that are among these names. */
export const attributesOf = ({ attributes }: Tag, names: readonly string[]) =>
  [...attributes.matchAll(attribute)].filter(([, name = '']) => names.includes(name))

/** Puts the attributes that are arguments; gives their names. */
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
