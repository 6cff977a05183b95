import type { PromptMessage } from '../model-types.js'

// Fields of the client's messages for which the SDK has no place:
//
//     { role: "user", name: "Ann", content: [{ type: "image_url", image_url: { url, detail: "low" } }] }
//
// They go through the middleware as options of the message or of its parts. The provider copies them
// next to the fields of its own; `placeCarriedFields` puts them where the server expects them.

type UserPart = Extract<PromptMessage, { role: 'user' }>['content'][number]

interface CarriedFields {
  /** Who wrote the message. */
  readonly name?: string | undefined
  /** How closely the model looks at an image: `low`, `high` or `auto`. */
  readonly detail?: string | undefined
}

type ProviderOptions = NonNullable<UserPart['providerOptions']>

/** The provider copies the options of this name into a message or a part. */
const PROVIDER = 'openaiCompatible'

/** Returns the options of a message or a part that carry the fields. */
export function carryFields({ name, detail }: CarriedFields): {
  readonly providerOptions?: ProviderOptions
} {
  const fields = {
    ...(name === undefined ? {} : { name }),
    ...(detail === undefined ? {} : { detail }),
  }
  return Object.keys(fields).length > 0 ? { providerOptions: { [PROVIDER]: fields } } : {}
}

/** Notes in a part who wrote it: the messages of two people may become one. */
export function withName(part: UserPart, name: string | undefined): UserPart {
  if (name === undefined) return part
  const fields = part.providerOptions?.[PROVIDER]
  return { ...part, providerOptions: { [PROVIDER]: { ...fields, name } } }
}
