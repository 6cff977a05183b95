import type { CallGrammar, CallOutput, CallReader, Mark } from './grammar.js'
import type { RepairCode } from './repairs.js'
import { type Cursor, noteRepair } from './text/cursor.js'
import { type CandidateMark, tryFormats } from './try-formats.js'

// Calls in another form than that of the format, because the model mixes up formats or the server
// has stripped the special tokens (decision 82):
//
//     <tool_call><invoke name="f">…     after the format's own mark, if it opens no call of its own
//     to=functions.f {…}                a mark that the format does not have

/** A mark of another form. Only a declared tool with one of its arguments is called in it. */
export const asCandidate = (mark: Mark): CandidateMark => ({
  ...mark,
  // `<function>search</function>`: such marks alone do not show that a call was meant.
  ends: undefined,
  proof: 'key',
})

/** Where words count that were a call before its special tokens were stripped. */
const inLines = { onlyAtLineStart: true, notInInlineCode: true, notInCodeBlock: true }

/**
 * Returns the marks of a format, each of which now also opens the other forms that begin with the
 * same text. Forms that count only at the start of a line get a mark of their own there.
 */
export function withOtherForms(own: readonly Mark[], others: readonly Mark[]): Mark[] {
  return own.flatMap(mark => {
    const forms = others.filter(other => keyOf(other) === keyOf(mark))
    const anywhere = forms.filter(form => !form.onlyAtLineStart || mark.onlyAtLineStart)
    const inText = withForms(mark, anywhere)
    if (anywhere.length === forms.length) return [inText]
    return [{ ...withForms(mark, forms), ...inLines }, inText]
  })
}

function withForms(mark: Mark, forms: readonly Mark[]): Mark {
  if (forms.length === 0) return mark
  const { named } = mark
  if (named) {
    const create = (name: string) => withForms(named.create(name), createForms(forms, name))
    return { ...mark, named: { ...named, create } }
  }
  const candidates = {
    marks: forms.map(asCandidate),
    asked: { ...mark, proof: 'name' as const },
    acceptsNoCall: () => false,
  }
  return { ...mark, read: (cursor, output) => tryFormats(cursor, output, candidates) }
}

/**
 * Returns marks for the other forms that begin with another text than all marks of the format. They
 * count at the start of a line, outside of code.
 */
export function addedForms(own: readonly Mark[], others: readonly Mark[]): Mark[] {
  const taken = new Set(own.map(keyOf))
  const added = others.filter(mark => !taken.has(keyOf(mark)))
  return [...new Set(added.map(keyOf))].flatMap(key =>
    tryingForms(added.filter(mark => keyOf(mark) === key)),
  )
}

/** Returns one mark that tries all forms, which begin with the same text. */
function tryingForms(forms: readonly Mark[]): Mark[] {
  const [first] = forms
  if (!first) return []
  const { named } = first
  if (named) {
    const create = (name: string) => tryingForms(createForms(forms, name))[0] ?? named.create(name)
    return [{ ...first, ...inLines, named: { ...named, create } }]
  }
  const candidates = { marks: forms.map(asCandidate), acceptsNoCall: () => false }
  const read = (cursor: Cursor, output: CallOutput) => tryFormats(cursor, output, candidates)
  return [{ ...asCandidate(first), ...inLines, read }]
}

/** The forms that begin with the name of a tool, for that name. */
const createForms = (forms: readonly Mark[], name: string) =>
  forms.flatMap(form => form.named?.create(name) ?? [])

/** The text of a mark, or what is known of it where the name of a tool follows. */
const keyOf = ({ text, named }: Mark) => (named ? `${text} ${named.after ?? ''}` : `=${text}`)

/** Returns a mark that opens the same calls, and whose first call has a repair. */
export const withRepair = (mark: Mark, code: RepairCode): Mark => ({
  ...mark,
  read: (cursor, output) => readWithRepair(cursor, output, mark.read, code),
})

/** Calls of several grammars, each with a repair. */
export const callsWithRepair =
  (code: RepairCode, ...grammars: readonly CallGrammar[]): CallGrammar =>
  tools =>
    grammars.flatMap(calls => calls(tools)).map(mark => withRepair(mark, code))

/** The calls of several grammars. */
export const anyCalls =
  (...grammars: readonly CallGrammar[]): CallGrammar =>
  tools =>
    grammars.flatMap(calls => calls(tools))

/** Reads calls, and records a repair of the first. */
export function* readWithRepair(
  cursor: Cursor,
  output: CallOutput,
  read: Mark['read'],
  code: RepairCode,
): CallReader {
  let isNoted = false
  const beginCall = (toolName: string) => {
    const writer = output.beginCall(toolName)
    if (!isNoted) noteRepair(cursor, code)
    isNoted = true
    return writer
  }
  return yield* read(cursor, { ...output, beginCall })
}
