import type { ServingProxy } from './serve-proxy.js'

export interface SignalOptions {
  /** The process, or whatever stands in for it. */
  readonly target?: Pick<NodeJS.EventEmitter, 'on' | 'off'> | undefined
}

/**
 * Lets the process go by its signals until it is told to end: SIGHUP reloads, SIGTERM and SIGINT
 * let the answers end, a second one of these cuts them off. An error that nobody caught is logged,
 * and the other requests go on. Resolves like `close`.
 */
export async function handleSignals(
  proxy: ServingProxy,
  { target = process }: SignalOptions = {},
): Promise<boolean> {
  const reload = () => {
    proxy.reload()
  }
  const uncaught = (error: unknown) => proxy.report('an error was not caught', error)
  let end: () => void = () => {}
  const isDone = new Promise<boolean>((resolve, reject) => {
    end = () => {
      proxy.close().then(resolve, reject)
    }
  })
  const listeners: readonly (readonly [string, (error: unknown) => void])[] = [
    ['SIGHUP', reload],
    ['SIGTERM', end],
    ['SIGINT', end],
    ['uncaughtException', uncaught],
    ['unhandledRejection', uncaught],
  ]
  for (const [name, listener] of listeners) target.on(name, listener)
  try {
    return await isDone
  } finally {
    for (const [name, listener] of listeners) target.off(name, listener)
  }
}
