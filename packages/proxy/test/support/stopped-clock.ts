import { afterEach, vi } from 'vitest'
import { until } from './raw-client.js'

/**
 * Stops the clock of the proxy, so that no test depends on the speed of the machine: its limits
 * are reached only where a test lets time pass. Sockets, and `until`, go on.
 */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
}

export function passTime(milliseconds: number): void {
  vi.advanceTimersByTime(milliseconds)
}

/**
 * Lets so much time pass, again and again, until something has come. The first time may be too
 * early: the proxy may still be reading what arrived before.
 */
export async function passTimeUntil<Value>(
  coming: Promise<Value>,
  milliseconds: number,
): Promise<Value> {
  let isThere = false
  const arrive = () => {
    isThere = true
  }
  coming.then(arrive, arrive)
  await until(() => {
    if (!isThere) passTime(milliseconds)
    return isThere
  })
  return coming
}

afterEach(() => {
  vi.useRealTimers()
})
