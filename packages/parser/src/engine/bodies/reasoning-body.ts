/** The marks around what the model thinks. Any of the closes ends it, whichever opened it. */
export interface ReasoningMarks {
  readonly opens: readonly string[]
  readonly closes: readonly string[]
}
