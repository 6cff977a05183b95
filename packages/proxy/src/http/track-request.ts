import type { ProxyConfig } from '../config.js'
import type { ProxyState } from '../proxy-state.js'
import type { RequestRecord } from '../request-record.js'
import { clip } from './clip.js'
import { createDeadline, type Deadline } from './deadline.js'
import { HttpError } from './http-error.js'

/** The longest body of a request, and the longest answer, that a record contains. */
const MAX_BODY_CHARS = 100_000

/** Fields of a record that become known while the request is served. */
type KnownFields = {
  -readonly [Key in
    | 'model'
    | 'upstream'
    | 'mode'
    | 'isStream'
    | 'warnings'
    | 'body'
    | 'storeError']?: RequestRecord[Key]
}

/** A request that is being served, and what is known of it so far. */
export interface TrackedRequest {
  /** The configuration when the request began: a reload does not change it. */
  readonly config: ProxyConfig
  readonly deadline: Deadline
  readonly known: KnownFields
  /** Counts the request as active until it ends. Further calls do nothing. */
  activate(): void
  /** Adds text of the answer to the record, if the record shall contain it. */
  addAnswer(text: string): void
  /** Calls a function when the request ends, however it ends. */
  atEnd(run: () => void): void
  /** Ends the request: counts and reports it. Further calls do nothing. */
  end(status: number, error?: HttpError): void
}

/** Starts the clock of a request. `route` is its name in the metrics. */
export function trackRequest(state: ProxyState, request: Request, route: string): TrackedRequest {
  const { config, metrics, options } = state
  const beganAt = performance.now()
  const deadline = createDeadline(request.signal, config.limits.requestMs)
  const answer = options.hasAnswers?.() ? createAnswerRecord() : undefined
  const known: KnownFields = {}
  const endings: (() => void)[] = []
  let isActive = false
  let hasEnded = false
  return {
    config,
    deadline,
    known,
    activate() {
      if (isActive || hasEnded) return
      isActive = true
      state.active++
      metrics.begin()
    },
    atEnd: run => void endings.push(run),
    addAnswer: text => answer?.add(text),
    end(answeredStatus, failure) {
      if (hasEnded) return
      hasEnded = true
      const error = realError(failure, state)
      deadline.end()
      for (const run of endings) run()
      if (isActive) {
        state.active--
        metrics.end()
      }
      const milliseconds = performance.now() - beganAt
      const status = error?.status ?? answeredStatus
      metrics.request({ route, mode: known.mode ?? 'none', status }, milliseconds / 1000)
      options.onRequest?.({
        ...describeRequest(request),
        ...knownOf(known),
        ...(answer ? { answer: answer.text() } : {}),
        status,
        milliseconds,
        ...(error ? { error } : {}),
      })
    },
  }
}

/** A client whose connection the proxy has cut is not gone by itself. */
function realError(error: HttpError | undefined, { isCutOff }: ProxyState): HttpError | undefined {
  if (!isCutOff || error?.code !== 'client_gone') return error
  return new HttpError(503, 'The proxy was stopped before the answer ended.', {
    code: 'shutting_down',
  })
}

/** Cuts a long body. */
function knownOf(known: KnownFields): KnownFields {
  return known.body ? { ...known, body: known.body.slice(0, MAX_BODY_CHARS) } : known
}

function describeRequest(request: Request): Pick<RequestRecord, 'id' | 'method' | 'path'> {
  return {
    id: clip(request.headers.get('x-request-id') ?? crypto.randomUUID()),
    method: request.method,
    path: clip(new URL(request.url).pathname),
  }
}

/** Collects the first characters of an answer. */
function createAnswerRecord() {
  const pieces: string[] = []
  let freeChars = MAX_BODY_CHARS
  return {
    add(text: string) {
      if (freeChars > 0) pieces.push(text.slice(0, freeChars))
      freeChars -= text.length
    },
    text: () => pieces.join(''),
  }
}
