import type { EngineProtocol } from '../../../src/protocols/tool-call-protocol.js'

/** What the tests must know of a format beyond what it writes. */
export interface Format {
  /** A call counts only in lines of its own. */
  readonly needsOwnLine: boolean
  /** Pieces that mean something to the reader but are not in what is written. */
  readonly pieces: readonly string[]
  /** What may make the reader look again and again: behind a door, over and over. */
  readonly doors: readonly string[]
  readonly units: readonly string[]
}

const pairPieces: readonly string[] = [
  ...[' city=', 'city="', " days='", ' days=', ',a=', ' b=', ' c="', ' path=', ' content=', ' tags=a,b', ' tags=["a"'],
  ...[' user.name=', ' user.age=', ' user={"name":"', ' mode=a', ' flag=True', ' rows=[{"sku":'],
  ...[
    '=',
    ',',
    '(',
    ')',
    '()',
    '{',
    '{"city":"',
    '}',
    '[',
    ']',
    ':',
    '.',
    '"',
    "'",
    '" ',
    '", ',
    '\\',
    '\\"',
    '&#10;',
    '&#1',
  ],
  ...['__proto__.x=1', ' user.__proto__.x=1', ' constructor=1', 'constructor.prototype.x=1', 'None', '5', 'x'],
  ...['\n', '\r\n', '\n\n', '\t', ' '.repeat(40), ','.repeat(20), '"'.repeat(9), ')'.repeat(9)],
]
const pairUnits: readonly string[] = [
  ...[
    'a',
    ' ',
    ',',
    '"',
    "'",
    '(',
    ')',
    '<',
    '&',
    '&#10',
    ' a',
    '"x" ',
    "'x', ",
    '\\',
    '.',
    '|',
    '=',
    ' a=',
    ' city=x',
  ],
  ...['\n', '\r\n', ' \n', '\n\r\n', ' ,', ') ', '1,', '{"a":1},', '" x', '")', '"<', '</', '$', ' user.a=1'],
]

/** Formats with a quote mark of their own. */
function markedFormat(open: string, close: string, quote: string): Format {
  const half = quote.slice(0, 3)
  return {
    needsOwnLine: false,
    pieces: [
      ...[quote, half, quote.slice(1), quote + quote, `${quote},`, `${quote}}`, `${quote}]`, `,${quote}`, `:${quote}`],
      ...[
        close,
        close.slice(0, -1),
        `}${close}`,
        `"${close}`,
        open,
        `${open}call:`,
        `${open}get{`,
        `${open}{"name":"get"`,
      ],
      ...[
        '{city:',
        `,days:${quote}3${quote}`,
        `{city:${quote}`,
        `,${quote}days${quote}:`,
        `tags:[${quote}`,
        `user:{name:`,
      ],
      ...[
        'user:{',
        'mode:w',
        ',a:',
        '"a":"',
        "'",
        ',"',
        '",',
        '":',
        ' ',
        '\n',
        '//',
        '/*',
        '5',
        '-',
        'true',
        'None',
        ',,',
      ],
    ],
    doors: [
      ...[
        open,
        `${open}call:get{`,
        `${open}call:get{city:`,
        `${open}call:get{city:${quote}`,
        `${open}call:get{city:${half}`,
      ],
      ...[`${open}call:get{city:"`, `${open}call:get{city:"x"`, `${open}call:get{city:${quote}x${quote}`],
      ...[`${open}call:get{days:5`, `${open}call:any{a:[`, `${open}call:any{a:${quote}`, `${open}call:any{${quote}`],
      ...[`${open}call:get_all{user:${quote}`, `${open}call:get_all{user:${quote}{`, `${open}call:get{}${close}`],
    ],
    units: [
      ...['a', ' ', ',', '<', half, quote, `${quote},`, `${quote}x`, `x${half}`, close, close.slice(0, -1), open],
      ...[
        '"',
        '",',
        '"x",',
        '{a:',
        '[',
        '}',
        ']',
        'a:1,',
        `a:${quote}b${quote},`,
        `${quote}b${quote},`,
        '\\',
        '/',
        '//\n',
      ],
    ],
  }
}

/** The token that stands before each of MiniMax M3's tags. */
const token = ']<]minimax[>['

/** Formats whose markup is longer than what tells its pieces apart. */
const markupFormat = (pieces: readonly string[], doors: readonly string[]): Format => ({
  needsOwnLine: false,
  pieces,
  doors,
  units: [...pieces, 'a', ' ', '<', ']', '"', '{', '\n'],
})

const kimiFormat = markupFormat(
  [
    ...[
      '<|open|>tools<|sep|>',
      '<|close|>tools<|sep|>',
      '<|open|>call tool="',
      '<|open|>call tool="get" index="1"<|sep|>',
    ],
    ...['<|close|>call<|sep|>', '<|open|>argument key="', '<|open|>argument key="city" type="string"<|sep|>'],
    ...['<|close|>argument<|sep|>', ' type="number"', '<|open|>', '<|close|>', '<|sep|>', '<|open|>response<|sep|>'],
    ...['<|close|>response<|sep|>', '<|open|>think<|sep|>', '<|close|>think<|sep|>', '<|end_of_msg|>'],
  ],
  [
    ...['<|open|>tools<|sep|>', '<|open|>call tool="get', '<|open|>call tool="get" index="1"<|sep|>'],
    '<|open|>call tool="get" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>x',
    '<|open|>call tool="any" index="1"<|sep|><|open|>argument key="a"<|sep|>x<|close|>argument<|sep|>',
  ],
)
const minimaxFormat = markupFormat(
  [
    ...[
      'tool_call',
      '/tool_call',
      'invoke name="get"',
      'invoke name="any"',
      'invoke',
      '/invoke',
      'city',
      '/city',
      'item',
    ].map(tag => `${token}<${tag}>`),
    ...['/item', 'tags', '/tags', 'user', 'name', '/name', 'city/', 'invoke name="none"/'].map(
      tag => `${token}<${tag}>`,
    ),
    ...[token, `${token}<`, `${token}</`, `${token}<!--`, ']<', ']<]', '[>[<', '<mm:think>', '</mm:think>'],
  ],
  [
    ...[`${token}<tool_call>`, `${token}<invoke`, `${token}<invoke name="get"`, `${token}<invoke name="get">`],
    ...[`${token}<invoke name="get">${token}<city>x`, `${token}<invoke name="any">${token}<a>${token}<b>`],
    ...[`${token}<invoke name="get">${token}<city>x${token}</city>`, `${token}<invoke name="get">{"city":"`],
  ],
)
const museFormat = markupFormat(
  [
    ...[
      '<|start|>assistant to=',
      ' to=',
      'to=get',
      'to=user<|message|>',
      ' to=self<|message|>',
      '<|message|>',
      '<|eom|>',
    ],
    ...['<|eot|>', '<atem:function_calls>', '</atem:function_calls>', '<atem:invoke name="get">', '</atem:invoke>'],
    ...['<atem:parameter name="city">', '</atem:parameter>', '<atem:', 'get.get', 'assistant to='],
  ],
  [
    ...[
      'to=',
      ' to=user<|message|>',
      ' to=self<|message|>',
      'to=get<|message|>',
      'to=get<|message|><atem:function_calls>',
    ],
    'to=get<|message|><atem:function_calls>\n<atem:invoke name="get">\n<atem:parameter name="city">x',
  ],
)
const inklingFormat = markupFormat(
  [
    ...['<|message_model|>', '<|message_model|>get', '<|content_invoke_tool_json|>', 'get<|content_invoke_tool_json|>'],
    ...[
      '<|end_message|>',
      '<|content_text|>',
      '<|content_thinking|>',
      '"args":',
      '{"name":"get"',
      '{"name":"get","args":{',
    ],
    ...['<|content_model_end_sampling|>', '<|', '|>', '<|content_'],
  ],
  [
    ...['<|message_model|>', '<|message_model|>x', '<|message_model|><|content_invoke_tool_json|>'],
    ...['<|content_invoke_tool_json|>{"args":"', '<|message_model|>get<|content_invoke_tool_json|>{"args":{"a":["'],
    '<|message_model|>get<|content_invoke_tool_json|>{"name":"get","args":{"city":"',
  ],
)

/** By what a call of `none` with `a` as 1 begins with. */
const formats: readonly (readonly [opening: string, format: Format])[] = [
  ['<|open|>tools', kimiFormat],
  [token, minimaxFormat],
  ['<|start|>assistant to=none', museFormat],
  ['<|message_model|>', inklingFormat],
  ['<|tool_call>call:', markedFormat('<|tool_call>', '<tool_call|>', '<|"|>')],
  ['<start_function_call>', markedFormat('<start_function_call>', '<end_function_call>', '<escape>')],
  [
    '<call>',
    {
      needsOwnLine: false,
      pieces: [
        ...pairPieces,
        ...[
          '<call',
          '</call',
          '<call>',
          '</call>',
          '<call>get',
          '<call>get ',
          '<call>get(',
          '<call>none',
          '<call> write ',
        ],
        ...[
          '<call>order rows=',
          '<call>get_all ',
          '<call>other a=',
          '<call>{"name":"get","arguments":',
          '<call>[',
          '<Call>',
        ],
      ],
      doors: [
        ...['<call>', '<call>get ', '<call>get(', '<call>get city=', '<call>get city=x', '<call>get city="'],
        ...[
          '<call>get city="x"',
          '<call>get(city=x',
          '<call>get days=',
          '<call>get_all tags=',
          '<call>get_all tags=["a"',
        ],
        ...[
          '<call>get_all user={',
          '<call>get_all user.name=',
          '<call>any a=',
          '<call>any a={',
          '<call>get {"city":"x"}',
        ],
        ...['<call>other ', '<call>other a=1', '<call>{'],
      ],
      units: [...pairUnits, '</call', '<call', '<call>x', '<call>get'],
    },
  ],
  [
    '@',
    {
      needsOwnLine: true,
      pieces: [
        ...pairPieces,
        ...[
          '@',
          '@ge',
          '@get',
          '@get ',
          '@get(',
          '\n@get ',
          '\n@none',
          '\n  @write content=',
          '@get_all tags=',
          '@order rows=',
        ],
        ...[
          '<',
          '<<',
          '<<END',
          '<<END\n',
          '=<<E\n',
          "=<<'E'\n",
          'END',
          '\nEND',
          '\nEND\n',
          '\nEND ',
          '\nEN',
          '\nE\n',
          'E',
        ],
        ...[
          '|',
          '||',
          '\n|',
          'sku|qty\n',
          '\nsku|qty|gift\n',
          'A-1|2\n',
          '"A|1"|',
          '|true\n',
          '@order rows=<<END\nsku|qty\n',
        ],
      ],
      doors: [
        ...[
          '@',
          '@get ',
          '@get(',
          '@get city=',
          '@get city=x',
          '@get city="',
          '@get city="x"',
          "@get city='",
          '@get(city=x',
        ],
        ...['@get days=', '@get_all tags=', '@get_all user={', '@get_all user.name=', '@any a=', '@get {"city":"x"}'],
        ...[
          '@write content=<<',
          '@write content=<<END\n',
          '@write content=<<END\nEND',
          '@any a=<<E\n',
          '@order rows=<<END\n',
        ],
        ...['@order rows=<<END\nsku|qty\n', '@order rows=<<END\nsku|qty\n"x"', '@order rows=<<END\nsku|qty\nx'],
      ],
      units: [...pairUnits, 'EN\n', 'END', 'END x\n', '<<E', '@get', '\n@', '"\n', '| ', 'x|1\n'],
    },
  ],
  [
    '<none>\na: 1',
    {
      needsOwnLine: false,
      pieces: [
        ...['<get>', '<get>\n', '</get>', '\n</get>', '\n</get>\n', '</get', '<get/>', '<get></get>', '<get>{"city":"'],
        ...['<write>\ncontent: |\n', '<any>\n', '<any>\nx: 1\n', '<get>city: x</get>', '<none>\n# c\n', '</any>'],
        ...[
          'city: ',
          'city:',
          '\ncity: ',
          '\n  city: ',
          '\ndays: 3',
          '\ncontent: |\n  ',
          '\ncontent: |-\n    x\n',
          ': ',
        ],
        ...['|', '|\n', '|2\n', '|+\n', '>', '>-\n  x\n  y', '- ', '\n- ', '\n  - ', '\n    - a: 1\n      b: 2', '-\n'],
        ...[
          'tags:\n  - x\n',
          'tags: [a, b',
          'user:\n  name: x\n',
          'user: {name: ',
          '\n  age: ~',
          'flag: yes',
          'mode: w',
        ],
        ...[
          '"',
          '"a": ',
          "'a': ",
          "''",
          '"\n',
          '\\\n',
          '\\x41',
          '#',
          ' # ',
          '\n# c\n',
          '\n---\n',
          '```yaml\n',
          '\n```\n',
        ],
        ...[
          '\n  ',
          '\n    ',
          '\n\n',
          '\t',
          '\r\n',
          ', ',
          '[',
          ']',
          '{',
          '}',
          '~',
          'null',
          '5',
          'x',
          '? ',
          '&a',
          '!!str ',
        ],
        ...['\n  </get>', '\n    </write>', '</write>\n', 'x</get>\n', '__proto__: 1', '\n<any>\nx: 1\n</any>'],
      ],
      doors: [
        ...[
          '<get>',
          '<get>\n',
          '<get>\ncity: x',
          '<get>\ncity: "',
          "<get>\ncity: '",
          '<get>\n"city',
          '<get>\ncity: |\n  x',
        ],
        ...[
          '<get>\ncity: |\n',
          '<get>\ncity: >\n  x',
          '<get>city: x',
          '<get>\nx: ',
          '<get>{a',
          '<get>\ncity: x</get>\n',
        ],
        ...['<any>\na:\n', '<any>\na: [', '<any>\na: {', '<any>\na: ["', '<any>\na:\n  - ', '<any>\na:\n  - "'],
        ...['<get_all>\ntags: [x, ', '<get>\ncity: |\n  </get>\n', '<get>\ncity: x\n  '],
      ],
      units: [
        ...[
          'a',
          ' ',
          '\n',
          ' \n',
          '\n  ',
          '\n  a',
          '\n  - a',
          '- ',
          ':',
          'a: ',
          '\na: 1',
          '\n  a: 1\n',
          '"',
          "'",
          '\\',
          '#',
        ],
        ...[
          ' #',
          '\n</get',
          '</get>',
          '\n  </get>\n',
          '<',
          '<get>\n',
          '[',
          '{a: ',
          '[a, ',
          ', ',
          '\t',
          '\r\n',
          '\r',
          '`',
        ],
      ],
    },
  ],
]

const plain: Format = { needsOwnLine: false, pieces: [], doors: [], units: [] }

export function formatOf(protocol: EngineProtocol): Format {
  const sample = protocol.formatToolCall({ toolCallId: 'id', toolName: 'none', input: { a: 1 } })
  return formats.find(([opening]) => sample.startsWith(opening))?.[1] ?? plain
}
