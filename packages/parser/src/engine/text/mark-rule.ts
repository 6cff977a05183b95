import type { ToolLookup } from '../tool-lookup.js'
import type { Verdict } from './verdict.js'

/** A text that means something, and where it does. */
export interface MarkRule {
  /** '' for a mark that is known by `startsLine`. */
  readonly text: string
  /**
   * Tells whether the rest of a line, and what follows it, begins with the mark: `get_weather(`. It
   * is asked once a line, before the first character that is no white space.
   */
  readonly startsLine?: ((ahead: string) => Verdict) | undefined
  /** It counts only at the start of a line, after whitespace: `  Action:`. */
  readonly onlyAtLineStart?: boolean | undefined
  /** It counts only there, or after the signs of a Markdown list or quote: `- <call>`. */
  readonly onlyAtListItem?: boolean | undefined
  /**
   * It counts only at the start of the text or after a call, with nothing but whitespace before it.
   */
  readonly onlyAtTextStart?: boolean | undefined
  /** It counts only if there is more than that before it. */
  readonly onlyAfterText?: boolean | undefined
  /** It is a tag that may be written in any case: `<Tool_Call>`. */
  readonly isAnyCase?: boolean | undefined
  /** It does not count between backticks, which quote text. */
  readonly notInInlineCode?: boolean | undefined
  /** It does not count in a code block, which quotes lines. */
  readonly notInCodeBlock?: boolean | undefined
  /**
   * It does not count in brackets, where it is a part of their content: `{"a": {|`. A blank line ends
   * a bracket that was never closed.
   */
  readonly notInBrackets?: boolean | undefined
  /** The name of a tool follows the text, and makes a mark of its own: `<` and `get_weather`. */
  readonly named?: NamedMarks<this> | undefined
}

/**
 * Marks that contain the name of a tool, all of them in one value (decision 84). There is no mark for each tool, so
 * that a request with thousands of tools costs little more than one with a few:
 *
 *     <get_weather   </get_weather>   @get_weather   get_weather {
 */
export interface NamedMarks<Mark> {
  readonly lookup: ToolLookup
  /** `</get_weather|>` The text after the name. Default: none. */
  readonly after?: string | undefined
  /** How long a name must be, and may be. Default: any. */
  readonly minChars?: number | undefined
  readonly maxChars?: number | undefined
  /** The text before and after the name in the mark that ends the call: `</`, `>`. */
  readonly close?: readonly [before: string, after: string] | undefined
  /** Makes the mark of a name, spelt as the model wrote it. */
  create(written: string): Mark
}
