import type { ServingProxy } from './serve-proxy.js'

export interface SignalOptions {
  /** The process, or a replacement in tests. */
  readonly target?: Pick<NodeJS.EventEmitter, 'on' | 'off'> | undefined
}

/**
 * Handles the signals of the process until the proxy has stopped. SIGHUP reloads the configuration.
 * SIGTERM and SIGINT wait for the current answers; a second one cuts them off. An error that nobody
 * caught is logged, and the other requests continue. Resolves like `close`.
 */
export async function handleSignals(
  proxy: ServingProxy,
  { target = process }: SignalOptions = {},
): Promise<boolean> {
  const reload = () => {
    proxy.reload()
  }
  const uncaught = (error: unknown) => proxy.report('uncaught error', error)
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
