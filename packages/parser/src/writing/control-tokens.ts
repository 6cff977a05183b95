// The text that has a meaning for a model or for a reader of its answers, wherever it is: special
// tokens of chat templates, tags of reasoning, and the marks of calls and results. In text that
// comes from a tool, it is escaped:
//
//     found: <|im_end|>   →   found: \u003c|im_end|>

/**
 * Special tokens, by their spelling. A tokenizer knows only the exact spelling, so case counts, and
 * ordinary text such as `[INFO]`, `<b>`, `a <| b` or `Map<K|V>` is none. Each pattern is bounded.
 */
const specialTokens: readonly RegExp[] = [
  // `<|im_end|>`, `<|tool_call:begin|>`, `<|"|>`
  /<\|[^\s<>|\\]{1,64}\|>/,
  // Gemma 4: `<|turn>`, `<turn|>`
  /<\|[a-z_]{1,64}>|<[a-z_]{1,64}\|>/,
  // DeepSeek: `<｜end▁of▁sentence｜>`, `</｜DSML｜parameter>`, and with other bars `<|DSML|invoke`
  /<\/?(?:｜|[|‖]{1,2}DSML)/,
  // Gemma: `<start_of_turn>`, `<end_of_turn>`, `<start_function_call>`
  /<\/?(?:start|begin|end)_(?:of|function)_\w{1,32}>/,
  // Llama 2, GLM and others: `<s>`, `</s>`, `<bos>`, `<<SYS>>`, `[gMASK]<sop>`
  /<\/?(?:s|bos|eos|sop|eop|eod|eot)>|<<\/?SYS>>|\[gMASK\]/,
  // Mistral: `[INST]`, `[/TOOL_RESULTS]`. LM Studio: `[TOOL_REQUEST]`
  /\[\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|CALL_ID)\]/,
  /\[(?:\/|END_)?TOOL_(?:CALLS|REQUEST|RESULTS?|CONTENT)\]/,
  // MiniMax M3: `]<]minimax[>[`
  /\]<\]\w{1,32}\[>/,
  // `[THINK]` of Mistral, `◁think▷` of Kimi, `[BEGIN FINAL RESPONSE]` of Apriel
  /\[\/?THINK\]|◁\/?think▷|\[BEGIN FINAL RESPONSE\]/,
  // Nemotron: `<TOOLCALL>`
  /<\/?TOOLCALL>/,
]

/** Tags around reasoning, calls and results. Case does not count. */
const tags: readonly RegExp[] = [
  // `<think>`, `</seed:think>`, `<think:opensource>`
  /<\/?(?:\w{1,16}:)?(?:think|thinking|thought|reasoning)(?::\w{1,16})?\s{0,4}>/,
  // `<tool_call>`, `</minimax:tool_call>`, `<function_calls>`, `<tool_responses:opensource>`
  /<\/?(?:[\w-]{1,16}[:_])?(?:tool|function)_(?:call|response|result|output)s?(?![\w-])/,
  // `<invoke name="f">`, `</atem:invoke>`, `<function=f>`, `<function name="f">`
  /<\/?(?:\w{1,16}:)?invoke(?=[\s>])|<function(?:=|[\sĠ]{0,4}name=)/,
  // `<function>f</function>⏎<parameter>city</parameter>`
  /<function>[^<>]{1,64}<\/function>\s{0,8}<parameter>/,
]

/** Words and fences before calls. */
const words: readonly RegExp[] = [
  // "```tool_call", "```tool_code"
  /`{3}tool_\w/,
  // `functools[{` (in JSON, `\functools` begins with an escape), `Action Input: {`, and "Action:"
  // before a fence
  /(?<=f)unctools\[|Action(?: Input:|:\s{0,4}`{3})/,
]

/** Matches only the first character of each pattern, so that one inside of another is found too. */
const firstChars = (patterns: readonly RegExp[], flags: string) =>
  new RegExp(`(?=${patterns.map(pattern => pattern.source).join('|')})[^]`, flags)

const patterns = [firstChars([...specialTokens, ...words], 'g'), firstChars(tags, 'gi')]

/** Returns true for a text that contains a special token or a tag that models know. */
export function hasControlToken(text: string): boolean {
  return patterns.some(pattern => text.search(pattern) >= 0)
}

/**
 * Escapes special tokens, and tags that models know. Only their first character changes, as in JSON:
 * `<|im_end|>` becomes `\u003c|im_end|>`. In a JSON string that is the same text; in plain text it
 * is a visible change, which breaks the token for tokenizers and for readers (decision 79).
 *
 * @example
 * ```ts
 * import { escapeControlTokens } from '@toolglot/parser/protocol'
 *
 * console.log(escapeControlTokens('<b>done</b><|im_end|>')) // <b>done</b>\u003c|im_end|>
 * ```
 */
export function escapeControlTokens(text: string): string {
  return patterns.reduce((escaped, pattern) => escaped.replace(pattern, escapeChar), text)
}

/** Writes a character as JSON can escape it: `<` becomes `\u003c`. */
export function escapeChar(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}
