/** How elements are written. */
export interface ElementSyntax {
  /** What every tag begins with. */
  readonly bracket: string
  /** A text is all that stands between its tags: neither line breaks around it nor CDATA are markup. */
  readonly isVerbatim?: boolean | undefined
}

/** All calls have one tag, with the tool's name as an attribute, and stand in sections. */
export interface ElementEnvelope {
  readonly tag: string
  readonly attribute: string
  /** The section's tag. Its end is also that of a call in it. */
  readonly section: string
}
