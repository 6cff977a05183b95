/** What happens in the loop, for those who show it and those who keep count. */
export type DemoEvent =
  | { readonly type: 'step-start'; readonly step: number }
  /** The model wrote this. */
  | { readonly type: 'raw'; readonly text: string }
  /** The middleware reported this of what the model wrote. */
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
  /** A value; of a call that is no JSON the text itself. */
  readonly input: unknown
  /** What came of it while it was written. */
  readonly deltas: readonly string[]
  /** Why it is not run. */
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
