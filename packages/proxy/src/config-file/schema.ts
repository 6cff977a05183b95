import { closestName, protocolInfo, protocolNames } from '@toolglot/parser'
import { z } from 'zod'
import {
  bytesPattern,
  durationPattern,
  MAX_DURATION_MS,
  parseBytes,
  parseDuration,
} from './units.js'

// The configuration file as it is written. What it comes to is in resolve.ts; the JSON Schema for
// editors is made from this too.

/** What is wrong and how to mend it, in one text: zod carries no more than one. */
const says = (message: string, fix: string) => `${message}\n${fix}`

/** The two halves of such a text. */
export function splitMessage(text: string): {
  readonly message: string
  readonly fix: string | undefined
} {
  const [message = text, fix] = text.split('\n')
  return { message, fix }
}

const noDuration = says(
  'is no duration',
  'Write milliseconds as a number, or a text such as 500ms, 30s, 10m or 1h.',
)
const noBytes = says('is no size', 'Write bytes as a number, or a text such as 64kb, 32mb or 1gb.')

const duration = (description: string) =>
  z
    .union([z.number().nonnegative(), z.string().regex(durationPattern, noDuration)], noDuration)
    .transform(parseDuration)
    .refine(value => value >= 1, says('is too short', 'Write at least 1ms.'))
    .refine(value => value <= MAX_DURATION_MS, says('is too long', 'Write at most 596h.'))
    .meta({ description })

const bytes = (description: string) =>
  z
    .union([z.number().nonnegative(), z.string().regex(bytesPattern, noBytes)], noBytes)
    .transform(parseBytes)
    .refine(value => value >= 1 && Number.isSafeInteger(value), noBytes)
    .meta({ description })

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export const modes = ['prompt', 'rescue', 'off'] as const
const protocolChoices: readonly string[] = [
  'auto',
  ...new Set(protocolNames().flatMap(name => [name, ...(protocolInfo(name)?.aliases ?? [])])),
]

/**
 * Why a protocol cannot be used; undefined if it can. Other names of a protocol count, but are not
 * listed.
 */
export function checkProtocol(name: string): string | undefined {
  if (protocolChoices.includes(name)) return undefined
  const near = closestName(name, protocolChoices)
  const meant = near === undefined ? '' : `Did you mean "${near}"? `
  return says('is no protocol', `${meant}There are: auto, ${protocolNames().join(', ')}.`)
}

/** Why an address cannot be a server's; undefined if it can. */
export function checkUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    return says(
      'is no address of a server',
      'Write it with its path, like http://127.0.0.1:8080/v1.',
    )
  }
  if (url.username || url.password) {
    return says(
      'holds a user name or password',
      'Leave it out, and give apiKey, apiKeyEnv or headers instead.',
    )
  }
  if (url.search || url.hash) {
    return says(
      'has something behind its path',
      'End it with the path: paths of requests are put behind it.',
    )
  }
  return undefined
}

/** A key travels in a header. */
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

const keyFix = 'A key has one line of plain characters and no blank around it.'
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
      says('is no name of a variable', 'Write the name only, without $: UPSTREAM_KEY.'),
    )
    .meta({ description })

const text = z.string().min(1, says('is empty', 'Write something, or leave the key out.'))

const upstream = z.strictObject({
  name: text.meta({
    description: 'How models refer to this server, and its name in logs and errors.',
  }),
  baseUrl: address('An OpenAI-compatible server, with its path: http://127.0.0.1:8080/v1.'),
  apiKey: key
    .meta({ description: 'Its key. It is better kept out of the file, with apiKeyEnv.' })
    .optional(),
  apiKeyEnv: variable('The variable of the environment that holds its key.').optional(),
  headers: z
    .record(
      z
        .string()
        .regex(
          /^[!#$%&'*+.^_`|~\w-]+$/,
          says('is no name of a header', 'Use letters, digits and hyphens.'),
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
    description: 'A model id, in which * stands for anything. The first rule that fits counts.',
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
        'prompt: tools go into the prompt. rescue: the server calls tools, and calls that it overlooks are found. off: passed through.',
    })
    .optional(),
  upstream: text
    .meta({ description: 'The name of the server that answers; the first one by default.' })
    .optional(),
  model: text
    .meta({ description: 'The id that the server knows, where it is another.' })
    .optional(),
  reasoning: z
    .boolean()
    .meta({ description: 'What the model thinks becomes reasoning.' })
    .optional(),
  startWithReasoning: z
    .boolean()
    .meta({ description: "The model's template has opened a thought already." })
    .optional(),
  callsInReasoning: z.boolean().meta({ description: 'Calls inside a thought count.' }).optional(),
  keepSpecialTokens: z
    .boolean()
    .meta({ description: 'Ask the server to leave special tokens in the text (vLLM, SGLang).' })
    .optional(),
  set: z
    .record(z.string(), z.json())
    .meta({ description: 'Fields of the request to the server, whatever the client says.' })
    .optional(),
  strip: z
    .array(text)
    .meta({ description: 'Fields that are left out of the request to the server.' })
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
          .meta({ description: '4141 by default; 0 takes a free one.' })
          .optional(),
      })
      .optional(),
    upstream: address(
      'The address of the one server, where there is only one and it needs no key.',
    ).optional(),
    upstreams: z
      .array(upstream)
      .min(1, says('is empty', 'Name at least one server.'))
      .meta({ description: 'The servers. A model that names none goes to the first.' })
      .optional(),
    models: z.array(model).meta({ description: 'What is done for which models.' }).optional(),
    clients: z
      .strictObject({
        keys: z
          .array(key)
          .meta({ description: 'Keys that clients may present. Without any, everybody may ask.' })
          .optional(),
        keysEnv: variable('The variable that holds such keys, separated by commas.').optional(),
      })
      .optional(),
    limits: z
      .strictObject({
        body: bytes("Of a request's body; 32mb by default.").optional(),
        request: duration('From the request to the end of the answer; 30m by default.').optional(),
        firstByte: duration("Until the server's answer begins; 10m by default.").optional(),
        idle: duration("Between two pieces of the server's answer; 5m by default.").optional(),
        concurrency: count('Requests at a time; 512 by default.').optional(),
        answer: bytes(
          "Of a server's answer that does not come as a stream, or of one event of a stream; 64mb by default.",
        ).optional(),
        heldChars: count(
          'Characters that may wait until it is clear what they are; 1048576 by default.',
        ).optional(),
        headers: bytes("Of a request's headers; 32kb by default.").optional(),
        headersTimeout: duration("Until a request's headers are there; 30s by default.").optional(),
        keepAlive: duration(
          'How long a connection may wait for its next request; 75s by default.',
        ).optional(),
        drain: duration(
          'How long answers may go on after the signal to stop; 30s by default.',
        ).optional(),
      })
      .optional(),
    heartbeat: duration(
      'How long a stream may be silent before a comment keeps it alive; 15s by default.',
    ).optional(),
    log: z
      .strictObject({
        level: z.enum(logLevels).meta({ description: 'info by default.' }).optional(),
        bodies: z
          .boolean()
          .meta({
            description:
              'The bodies of requests and what is answered too. They hold what users wrote.',
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
