/** An event of the loop, for the views and for the record. */
export type DemoEvent =
  | { readonly type: 'step-start'; readonly step: number }
  /** Text of the model. */
  | { readonly type: 'raw'; readonly text: string }
  /** A problem that the middleware reported. */
  | { readonly type: 'problem'; readonly code: string; readonly message: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'input-start'; readonly toolName: string }
  | { readonly type: 'input-delta'; readonly delta: string }
  | CallEvent
  | ResultEvent
  | { readonly type: 'step-end'; readonly step: number }

export interface CallEvent {
  readonly type: 'call'
  readonly step: number
  readonly toolName: string
  /** The parsed arguments, or their text if they are not JSON. */
  readonly input: unknown
  /** The pieces of the input as they were streamed. */
  readonly deltas: readonly string[]
  /** Why the call is not run. */
  readonly invalid: string | undefined
}

export interface ResultEvent {
  readonly type: 'result'
  readonly step: number
  readonly toolName: string
  readonly output: unknown
  /** Why there is no output. */
  readonly failure: string | undefined
}

export type OnDemoEvent = (event: DemoEvent) => void
