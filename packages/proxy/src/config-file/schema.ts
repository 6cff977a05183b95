import { closestName, getProtocolInfo, listProtocols } from '@toolglot/parser'
import { z } from 'zod'
import {
  bytesPattern,
  durationPattern,
  MAX_DURATION_MS,
  parseBytes,
  parseDuration,
} from './units.js'

// The configuration file as the user writes it; resolve.ts turns it into a `ServerConfig`. The JSON
// Schema for editors is made from this schema too.

/** Joins a problem and its fix into one string, because an issue of zod has only one. */
const says = (message: string, fix: string) => `${message}\n${fix}`

/** Splits such a string again. */
export function splitMessage(text: string): {
  readonly message: string
  readonly fix: string | undefined
} {
  const [message = text, fix] = text.split('\n')
  return { message, fix }
}

const noDuration = says(
  'is not a duration',
  'Write milliseconds as a number, or a string such as 500ms, 30s, 10m or 1h.',
)
const noBytes = says(
  'is not a size',
  'Write bytes as a number, or a string such as 64kb, 32mb or 1gb.',
)

const tooShort = says('is too short', 'Write at least 1ms.')
const tooSmall = says('is too small', 'Write at least 1 byte.')

const duration = (description: string) =>
  z
    .union(
      [z.number().nonnegative(tooShort), z.string().regex(durationPattern, noDuration)],
      noDuration,
    )
    .transform(parseDuration)
    .refine(value => value >= 1, tooShort)
    .refine(value => value <= MAX_DURATION_MS, says('is too long', 'Write at most 596h.'))
    .meta({ description })

const bytes = (description: string) =>
  z
    .union([z.number().nonnegative(tooSmall), z.string().regex(bytesPattern, noBytes)], noBytes)
    .transform(parseBytes)
    .refine(value => value >= 1, tooSmall)
    .refine(Number.isSafeInteger, says('is too large', 'Write at most 8388607gb.'))
    .meta({ description })

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export const modes = ['prompt', 'rescue', 'off'] as const
const serverToolsChoices = ['drop', 'refuse'] as const
const protocolChoices: readonly string[] = [
  'auto',
  ...new Set(listProtocols().flatMap(name => [name, ...(getProtocolInfo(name)?.aliases ?? [])])),
]

/** Returns why a protocol cannot be used; undefined if it can. */
export function checkProtocol(name: string): string | undefined {
  if (protocolChoices.includes(name)) return undefined
  const near = closestName(name, protocolChoices)
  const meant = near === undefined ? '' : `Did you mean "${near}"? `
  return says('is not a protocol', `${meant}Write auto, or a name that "toolglot formats" lists.`)
}

/** Returns why a URL cannot be a server's; undefined if it can. */
export function checkUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    return says(
      'is not an http(s) URL',
      'Write it with http:// and its path: http://127.0.0.1:8080/v1.',
    )
  }
  if (url.username || url.password) {
    return says(
      'contains a user name or password',
      'Leave it out, and use apiKey, apiKeyEnv or headers instead.',
    )
  }
  if (url.search || url.hash) {
    return says(
      'has a query or a fragment',
      'End it with the path: the proxy appends the paths of requests.',
    )
  }
  return undefined
}

/** True for a text that can be sent in a header, as keys are. */
export function isHeaderText(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]+$/.test(text)
}

const address = (description: string) =>
  z
    .string()
    .superRefine((text, context) => {
      const message = checkUrl(text)
      if (message) context.addIssue({ code: 'custom', message })
    })
    .meta({ description })

const keyFix = 'A key is one line of plain characters without whitespace around it.'
const key = z
  .string()
  .refine(
    text => isHeaderText(text) && text.trim() === text,
    says('cannot be sent as a key', keyFix),
  )

const variable = (description: string) =>
  z
    .string()
    .regex(
      /^[A-Za-z_]\w*$/,
      says('is not the name of a variable', 'Write only the name, without $: UPSTREAM_KEY.'),
    )
    .meta({ description })

const hostName = z
  .string()
  .regex(
    /^(\[[0-9a-fA-F:.]+\]|[\w.*-]+)$/,
    says(
      'is not the name of a host',
      'Write only the name, without http:// and port: my-host.lan.',
    ),
  )
const origin = z
  .string()
  .regex(
    /^(null|\*|[a-z*][\w+.*-]*:\/\/[^\s/?#]*)$/i,
    says(
      'is not an origin',
      'Write scheme and host without a path: https://chat.example, app://obsidian.md, or null.',
    ),
  )

const text = z.string().min(1, says('is empty', 'Write a value, or leave the key out.'))

const upstream = z.strictObject({
  name: text.meta({
    description: 'How models refer to this server, and its name in logs and errors.',
  }),
  baseUrl: address('An OpenAI-compatible server, with its path: http://127.0.0.1:8080/v1.'),
  apiKey: key
    .meta({ description: 'Its key. Better keep it out of the file, with apiKeyEnv.' })
    .optional(),
  apiKeyEnv: variable('The environment variable that contains its key.').optional(),
  headers: z
    .record(
      z
        .string()
        .regex(
          /^[!#$%&'*+.^_`|~\w-]+$/,
          says('is not the name of a header', 'Use letters, digits and hyphens.'),
        ),
      z
        .string()
        .refine(
          isHeaderText,
          says('cannot be sent as a header', 'Write one line of plain characters.'),
        ),
    )
    .meta({ description: 'Headers of every request to it.' })
    .optional(),
})

const model = z.strictObject({
  match: text.meta({
    description: 'A model id, in which * matches any text. The first rule that matches is used.',
  }),
  protocol: z
    .enum(protocolChoices, {
      error: ({ input }) => (typeof input === 'string' ? checkProtocol(input) : undefined),
    })
    .meta({ description: 'How the model writes its calls; auto by default.' })
    .optional(),
  mode: z
    .enum(modes)
    .meta({
      description:
        'prompt: the tools are written into the prompt. rescue: the server parses calls, and the proxy finds those that it missed. off: passed through.',
    })
    .optional(),
  upstream: text
    .meta({ description: 'The name of the server that answers; the first one by default.' })
    .optional(),
  model: text
    .meta({ description: 'The id of the model on the server, if it is different.' })
    .optional(),
  reasoning: z
    .boolean()
    .meta({ description: 'Return <think> blocks as reasoning, not as text.' })
    .optional(),
  startWithReasoning: z
    .boolean()
    .meta({
      description:
        "The answer starts with reasoning, because the model's template ends with <think>.",
    })
    .optional(),
  callsInReasoning: z
    .boolean()
    .meta({ description: 'Calls inside reasoning are calls too.' })
    .optional(),
  messages: z
    .enum(['ordered', 'verbatim'])
    .meta({
      description:
        'ordered (the default): one system message at the beginning, roles that alternate, no fields that only the services of vendors know. verbatim: what the client sent.',
    })
    .optional(),
  tolerance: z
    .enum(['exact', 'safe', 'eager'])
    .meta({
      description:
        'What becomes of a call that is not written to the letter of its format: "exact" refuses all, "safe" (the default) those that may mean something else, "eager" none.',
    })
    .optional(),
  keepSpecialTokens: z
    .boolean()
    .meta({ description: 'Ask the server to leave special tokens in the text (vLLM, SGLang).' })
    .optional(),
  set: z
    .record(z.string(), z.json())
    .meta({
      description: 'Fields that are set in the request to the server, whatever the client sends.',
    })
    .optional(),
  strip: z
    .array(text)
    .meta({ description: 'Fields that are removed from the request to the server.' })
    .optional(),
})

const count = (description: string) => z.int().min(1).meta({ description })

export const configSchema = z
  .strictObject({
    $schema: z.string().meta({ description: 'For editors; not read.' }).optional(),
    listen: z
      .strictObject({
        host: text
          .meta({ description: 'The address to listen on; 127.0.0.1 by default.' })
          .optional(),
        port: z
          .int()
          .min(0)
          .max(65_535)
          .meta({ description: '4141 by default; 0 chooses a free one.' })
          .optional(),
      })
      .optional(),
    upstream: address(
      'The URL of the server, if there is only one and it needs no key.',
    ).optional(),
    upstreams: z
      .array(upstream)
      .min(1, says('is empty', 'Name at least one server.'))
      .meta({
        description: 'The servers. The first one answers for models whose rule names no server.',
      })
      .optional(),
    models: z
      .array(model)
      .meta({ description: 'Rules for models. The first rule that matches is used.' })
      .optional(),
    clients: z
      .strictObject({
        keys: z
          .array(key)
          .meta({
            description:
              'Keys that clients may send. Needed to listen on another address than 127.0.0.1.',
          })
          .optional(),
        keysEnv: variable(
          'The environment variable that contains such keys, separated by commas.',
        ).optional(),
      })
      .optional(),
    hosts: z
      .array(hostName)
      .meta({
        description:
          'Host names that requests may name besides localhost, 127.0.0.1 and [::1], such as host.docker.internal; * matches any text. Checked only without client keys.',
      })
      .optional(),
    cors: z
      .strictObject({
        origins: z
          .array(origin)
          .meta({
            description:
              'Web pages that may use the proxy besides those of this machine: https://chat.example, app://obsidian.md, vscode-webview://*, null; * matches any text.',
          })
          .optional(),
      })
      .optional(),
    limits: z
      .strictObject({
        body: bytes("Size of a request's body; 32mb by default.").optional(),
        bodies: bytes(
          'Size of all bodies that are arriving, together; 256mb by default, or 8 times body if that is more.',
        ).optional(),
        bodyTimeout: duration(
          'Time that the body of a request may take to arrive; 60s by default.',
        ).optional(),
        request: duration(
          'Time from the request to the end of the answer; 30m by default.',
        ).optional(),
        firstByte: duration("Time until the server's answer begins; 10m by default.").optional(),
        idle: duration("Time between two pieces of the server's answer; 5m by default.").optional(),
        concurrency: count('Requests at a time; 512 by default.').optional(),
        answer: bytes(
          "Size of a server's answer that is not a stream, or of one event of a stream; 64mb by default.",
        ).optional(),
        heldChars: count(
          'Characters that the parser may hold back until it knows what they are; 1048576 by default.',
        ).optional(),
        headers: bytes("Size of a request's headers; 32kb by default.").optional(),
        headersTimeout: duration(
          "Time until a request's headers have arrived; 30s by default.",
        ).optional(),
        keepAlive: duration(
          'How long a connection may wait for its next request; 75s by default.',
        ).optional(),
        drain: duration(
          'How long answers may continue after the signal to stop; 30s by default.',
        ).optional(),
      })
      .optional(),
    serverTools: z
      .enum(serverToolsChoices)
      .meta({
        description:
          'What becomes of tools that only the server of their vendor can run, such as web_search. drop (the default): left out, with a warning. refuse: an error.',
      })
      .optional(),
    heartbeat: duration(
      'How long a stream may be silent before a comment keeps it alive; 15s by default.',
    ).optional(),
    store: z
      .union(
        [
          z.literal(0),
          z.strictObject({
            responses: count('Responses that are stored; 10000 by default.').optional(),
            bytes: bytes(
              'Size of all stored responses with their input; 64mb by default.',
            ).optional(),
            age: duration(
              'How long after its last use a response is stored; 24h by default.',
            ).optional(),
          }),
        ],
        says(
          'is neither 0 nor a mapping',
          'Write 0 to store nothing, or keys: responses, bytes, age.',
        ),
      )
      .meta({
        description:
          'What is stored of /v1/responses, so that clients can refer to it. 0: nothing.',
      })
      .optional(),
    log: z
      .strictObject({
        level: z.enum(logLevels).meta({ description: 'info by default.' }).optional(),
        bodies: z
          .boolean()
          .meta({
            description:
              'Also log the bodies of requests and answers. They contain what users wrote.',
          })
          .optional(),
      })
      .optional(),
  })
  .meta({ title: 'Configuration of toolglot proxy' })

/** A file that passed the schema. */
export type ConfigFile = z.output<typeof configSchema>

/** The JSON Schema of the file, for editors: `packages/proxy/config.schema.json`. */
export function configJsonSchema(): object {
  return z.toJSONSchema(configSchema, { io: 'input', target: 'draft-7' })
}
