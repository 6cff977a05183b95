/**
 * Something that the reader did beyond the letter of a format, so that a call could be read:
 * `{"city": "Paris",}` has a comma too many.
 */
export interface Repair {
  /** What was done. The codes are stable; docs/repairs.md explains each. */
  readonly code: RepairCode
  /** A sentence about it, for people and for the model. */
  readonly message: string
  /** Where it was done in the text, in UTF-16 units. */
  readonly offset: number
  /** The argument that it is about: `city`, `items[2].name`. */
  readonly path?: string | undefined
}

/** The name of a repair. */
export type RepairCode = keyof typeof repairRules

/** How much is done to read a call that is not written to the letter. */
export type Tolerance =
  /** A call with any repair is invalid. */
  | 'exact'
  /** Repairs with one meaning run. A call that has another reading is invalid. */
  | 'safe'
  /** All that can be read runs. */
  | 'eager'

/** What is known about a kind of repair. */
export interface RepairRule {
  /**
   * `repair`: the text has one meaning. `guess`: another reading exists, so what was read may not be
   * what the model meant.
   */
  readonly kind: 'repair' | 'guess'
  /** A sentence that says what was found. */
  readonly message: string
  /** What the model should write instead. */
  readonly advice?: string
  /** What a model wrote. `⏎` is a line break. */
  readonly example: string
}

const repair = (message: string, example: string): RepairRule => ({
  kind: 'repair',
  message,
  example,
})
const guess = (message: string, advice: string, example: string): RepairRule => ({
  kind: 'guess',
  message,
  advice,
  example,
})

/** All repairs and guesses, by their codes (decision 75). docs/repairs.md shows an input for each. */
export const repairRules = {
  // Quotes and words in JSON.
  'unescaped-quote': repair(
    'A quote inside a string was not escaped.',
    '{"note": "say "hi" to Ann"}',
  ),
  'single-quotes': repair('A string or a key was in single quotes.', "{'city': 'Paris'}"),
  'bare-key': repair('A key had no quotes.', '{city: "Paris"}'),
  'bare-word': repair('A text had no quotes.', '{"city": Paris}'),
  'python-word': repair('A word was spelt as in Python: True, False or None.', '{"flag": True}'),
  tuple: repair('A list was in round brackets, as in Python.', '{"tags": ("a", "b")}'),
  'escaped-space': repair(
    'Whitespace between values was written as `\\n`.',
    '{\\n"city": "Paris",\\n"days": 3\\n}',
  ),
  'raw-line-break': repair('A line break inside a string was not escaped.', '{"note": "a⏎b"}'),
  'doubtful-quote': guess(
    'Quotes inside a string were not escaped, and it is not clear where the string ends.',
    'Escape every quote inside a string with a backslash.',
    '{"city": "a"b" c"}',
  ),
  'shifted-space': guess(
    'A space that belongs before the quotes of a value is inside them.',
    'Write the space before the opening quote.',
    '{"days": 3, "city":" Paris"}',
  ),
  'odd-word': guess(
    'A value without quotes contains a quote, or begins or ends with a sign.',
    'Put texts in quotes.',
    '{"city": Paris"}',
  ),

  // Commas and brackets.
  'extra-comma': repair('There was a comma too many.', '{"city": "Paris",}'),
  'missing-comma': repair('A comma was missing.', '{"city": "Paris" "days": 3}'),
  'missing-bracket': repair('Closing brackets were missing at the end.', '{"city": "Paris"'),
  'extra-bracket': repair('There was a bracket too many.', '{"city": "Paris"}}'),
  'missing-space': repair('A space was missing before a key.', 'city="Paris"days=3'),
  'extra-space': repair('There was a space before or after the sign of a key.', 'city = Paris'),
  comment: repair('There was a comment among the arguments.', '{"city": "Paris" // where⏎}'),
  'missing-item-comma': guess(
    'A comma was missing in a list.',
    'Separate the items of a list with commas.',
    '{"tags": ["a" "b"]}',
  ),
  'crossed-brackets': guess(
    'A bracket was closed by one of another kind.',
    'Close each bracket with its own kind, the innermost first.',
    '{"tags": ["a"}',
  ),

  // The arguments of a call.
  'json-in-string': repair(
    'An object or a list was written as a string that contains JSON.',
    '{"place": "{\\"name\\": \\"a\\"}"}',
  ),
  'list-of-one': repair('A list was expected, and a single value was written.', '{"tags": "a"}'),
  'list-in-text': repair(
    'The items of a list were written in one text, with commas between them.',
    '{"stars": "1, 2"}',
  ),
  'null-left-out': repair(
    'An optional argument was null, which its schema does not allow. It was left out.',
    '{"tags": null}',
  ),
  'extra-quotes': repair(
    'One of the allowed values was in quotes too many.',
    '{"mode": "\'fast\'"}',
  ),
  'other-key-spelling': repair(
    'The name of a required argument was spelt in another way: `to_port` for `toPort`.',
    '{"ZIP": "75001"}',
  ),
  'odd-list-of-one': guess(
    'A list was expected, and a single value was written that looks like a damaged list.',
    'Write the list with its brackets.',
    '{"tags": "a,b"}',
  ),
  'key-after-arguments': guess(
    'An argument was written outside of the arguments.',
    'Write all arguments inside the object of the arguments.',
    '{"name": "f", "arguments": {"city": "Paris"}, "days": 3}',
  ),
  'repeated-key': guess(
    'An argument was written twice, with different values.',
    'Write each argument once.',
    '<place name="a" name="b"/>',
  ),
  'missing-required': repair(
    'A required argument had no value. It was left out, so the schema refuses the call.',
    '<key>city</key></call>',
  ),
  'missing-value': guess(
    'An argument had no value.',
    'Write a value for each argument.',
    'city= days=3',
  ),

  'other-envelope': repair(
    'The name or the arguments were under another key than that of the format.',
    '{"name": "f", "parameters": {"city": "Paris"}}',
  ),
  'tool-name': repair(
    'The name of the tool was spelt with another case or other signs, with `functions.` in front, or without its namespace.',
    '{"name": "Find", "arguments": {"city": "Paris"}}',
  ),

  // Other shapes.
  'other-shape': repair(
    'The call was written in another shape than that of the format.',
    'get_weather(city="Paris")',
  ),
  'markdown-escape': repair(
    'A name or a key was escaped as in Markdown.',
    'get\\_weather(city="Paris")',
  ),
  'positional-argument': guess(
    'An argument was written without its name.',
    'Name every argument.',
    'get_weather("Paris", 3)',
  ),
  arithmetic: guess(
    'A number was written as a calculation.',
    'Write the number itself.',
    'paint(red=1/4)',
  ),
  'text-after-call': guess(
    'Text follows the call in the same line, so it may be only shown.',
    'Write nothing after the calls.',
    '[get_weather(city="Paris")] is a call',
  ),

  // Marks and tags.
  fenced: repair(
    'The call was in a code fence between its marks.',
    '<tool_call>⏎```json⏎{…}⏎```⏎</tool_call>',
  ),
  'missing-close': repair('A close mark was missing.', '<tool_call>{…} and then the end'),
  'missing-open': repair('An open mark was missing.', '<find>Paris</city></find>'),
  'extra-close': repair('There was a close mark too many.', '<city>Paris</city></city>'),
  'space-in-tag': repair('A close tag contained a space.', '<city>Paris</city >'),
  'close-in-text': repair(
    'A text contained the close mark of its own tag.',
    '<note>see </note> here</note>',
  ),
  'other-mark': repair(
    'A mark was spelt in another way, or was in the place of another one.',
    '<tool_Call>{…}</tool_call>',
  ),
  'junk-in-tag': repair(
    'An open tag contained a text that means nothing there.',
    '<city lang="fr">Paris</city>',
  ),
  'other-notation': repair(
    'The arguments were written in another notation than that of the format.',
    '<call>find({"city": "Paris"})</call>',
  ),
  'table-frame': repair(
    'A table had a frame or a rule as in Markdown.',
    '|name|stop|⏎|---|---|⏎|a|1|',
  ),
  'other-item-tag': repair(
    'The items of a list had another tag than that of the format.',
    '<tags><tag>a</tag></tags>',
  ),
  'markup-at-edge': guess(
    'A value begins or ends with a damaged mark of the format.',
    'Write the marks of the format exactly.',
    'city=Paris/call>',
  ),
  'argument-in-value': guess(
    'A value contains what looks like another argument.',
    'Write the marks of each argument exactly.',
    '<p=city>Paris</p>⏎p=days>3</p>',
  ),
  'foreign-close': guess(
    'A value contains the close tag of something around it.',
    'Close each value with its own tag.',
    '<tags>i<tem>a</item></tags>',
  ),
  'text-after-value': guess(
    'The close mark of the call was missing, and a value without quotes may have text after it.',
    'Write the close mark right after the last argument.',
    '<call>f city=Paris I will look.',
  ),
  'missing-tag': guess(
    'The open tag of a value was missing.',
    'Write the open tag of each value.',
    '<find>city>Paris</city></find>',
  ),
  'text-in-tag': guess(
    'An open tag contains other text.',
    'Write only the name in an open tag.',
    '<parameter name="city" str>ing="true">Paris</parameter>',
  ),
  'unindented-block': repair('The lines of a text were not indented.', 'note: |⏎a text'),
  'odd-indent': guess(
    'A line of a text is indented less than the lines around it.',
    'Indent all lines of a text by two spaces more than its key.',
    'note: |⏎ a⏎  b⏎  c',
  ),
  'item-in-value': guess(
    'A value without quotes contains what looks like another item of its list.',
    'Write each item in a line of its own, or put the text in quotes.',
    'tags:⏎  - slow  - by train',
  ),
  'key-in-value': guess(
    'A value without quotes contains what looks like a key.',
    'Put the value in quotes, or use only the keys that the tool has.',
    'city=Austin unit=metric',
  ),
} as const satisfies Readonly<Record<string, RepairRule>>

/** Makes a repair. */
export function createRepair(code: RepairCode, offset: number, path: string | undefined): Repair {
  const { message } = repairRules[code]
  return { code, message, offset, ...(path === undefined ? {} : { path }) }
}

/** Decides whether a call with such a repair is invalid. */
export function isRefused({ code }: Pick<Repair, 'code'>, tolerance: Tolerance): boolean {
  if (tolerance === 'eager') return false
  return tolerance === 'exact' || repairRules[code].kind === 'guess'
}

/**
 * Why a call was not run, as the model reads it: `in \`city\`: Quotes inside a string were not
 * escaped, … Escape every quote inside a string with a backslash.`
 */
export function describeDoubt({ code, path }: Repair): string {
  const { message, advice }: RepairRule = repairRules[code]
  const where = path === undefined ? '' : `in \`${path}\`: `
  return `${where}${message}${advice ? ` ${advice}` : ' Write the call exactly as the format demands.'}`
}
