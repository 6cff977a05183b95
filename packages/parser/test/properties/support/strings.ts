import fc, { type Arbitrary } from 'fast-check'

/** Strings that are easily taken for something else. */
const lookAlikes = [
  '',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '\n\n',
  '0',
  '-0',
  '5',
  '007',
  '1.10',
  '1e3',
  '.5',
  '+5',
  '12345678901234567890',
  'null',
  'None',
  'true',
  'True',
  'FALSE',
  'NaN',
  'undefined',
  ' null ',
  ' 5',
  '5 ',
  '{"a":1}',
  '{}',
  '[]',
  '[1]',
  '["a"]',
  '{"name": "get", "arguments": {}}',
  '{a: 1}',
  '<b>',
  '<b>bold</b>',
  '</b>',
  '<item>1</item>',
  '<!-- c -->',
  '<![CDATA[x]]>',
  ']]>',
  '&lt;b&gt;',
  '&amp;',
  'a, "b": 1',
  '", "b": "',
  '"',
  "'",
  '"quoted"',
  "'quoted'",
  '\\',
  '\\n',
  '\\u0041',
  '// no comment',
  '/* no comment */',
  '```',
  '```json\n{}\n```',
  '    return 1\n',
  '\n  indented\n',
  'line\nline',
  'New York',
]

/** Pieces of which hard strings are made. */
const hardPieces = [
  ...['"', "'", '`', '\\', '/', '<', '>', '</', '/>', '{', '}', '[', ']', '(', ')', ',', ':', ';', '=', '|', '&', '#'],
  ...[' ', '\n', '\r', '\t', '\r\n', '\n\n', '    '],
  ...['\u0000', '\u0001', '\u001f', '\u007f', '\u0085', '\u00a0', '\u2028', '\u2029', '\ufeff', '\ufffd'],
  ...['é', 'ß', '日本', '😀', '\ud83d', '\ude00', '\ud800', '\udfff', 'e\u0301'],
  ...['<![CDATA[', ']]>', ']]', '<!--', '-->', '&lt;', '\\n', '\\"', '\\u', '\\ud83d', '//', '/*', '*/', '```'],
  ...['a', 'b', 'name', 'arguments', 'item', 'content', '0', '1', '-', '.', 'e', 'null', 'true', 'None'],
]

/** Strings that try to break out: of their quotes, of their element, of the call. */
export function hardStrings(marks: readonly string[]): Arbitrary<string> {
  const piece = fc.constantFrom(...hardPieces, ...marks)
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...lookAlikes) },
    { weight: 4, arbitrary: fc.array(piece, { maxLength: 8 }).map(pieces => pieces.join('')) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
    { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
  )
}

const hardKeys = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'toJSON', 'length'],
  ...['name', 'arguments', 'parameters', 'type', 'function', 'input', 'item', 'tool', 'content', 'get', 'write'],
  ...[
    '',
    ' ',
    'a b',
    '<',
    '<b>',
    'a<b',
    'a>b',
    '"',
    "'",
    'a"b',
    'é',
    '日本',
    '😀',
    '\ud800',
    '\n',
    'a\nb',
    '</a>',
    '/',
  ],
  ...['0', '1', '-1', 'a.b', 'a-b', 'a:b', 'a/b', '$ref', '$x', '_', 'A', 'null', 'true', '=', 'a=b', '{', '}', '\\'],
]

export function hardKeyStrings(marks: readonly string[]): Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c', 'path', 'content', 'city') },
    { weight: 3, arbitrary: fc.constantFrom(...hardKeys) },
    { weight: 1, arbitrary: hardStrings(marks) },
  )
}

/** Ordinary text, which holds no mark of any format. Begins and ends with a word. */
export const prose: Arbitrary<string> = fc
  .array(fc.constantFrom('Let', 'me', 'see', 'it', 'then', 'a.', 'so,', 'if', 'é', '😀', 'ok!'), {
    minLength: 1,
    maxLength: 6,
  })
  .map(words => words.join(' '))

/** Text about markup and JSON, as a model writes it in an explanation. */
export function proseAboutMarkup(marks: readonly string[]): Arbitrary<string> {
  const quoted = fc.constantFrom(
    ...marks,
    '<b>',
    '<p>',
    '{"a": 1}',
    '{',
    '}',
    '[',
    ']',
    '```json',
    '```',
    'x < y',
    '</',
  )
  return fc
    .array(fc.tuple(prose, quoted, fc.constantFrom(' ', '', '\n', '`', '"', ', ')), { minLength: 1, maxLength: 5 })
    .map(parts => parts.map(([words, mark, gap]) => `${words}${gap}${mark}${gap}`).join(''))
}
