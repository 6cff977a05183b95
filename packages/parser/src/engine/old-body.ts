import type { Body, CallPort } from './body.js'
import { type Cursor, createRun } from './cursor.js'
import type { Problem } from './events.js'

export interface OldBody {
  feed(chunk: string, from: number, to: number): number
  end(isCut: boolean): void
  status(): BodyStatus
  giveBack(): number
}

export type BodyStatus = 'open' | 'done' | 'rejected'

export function* readOld(cursor: Cursor, port: CallPort, createBody: (port: CallPort) => OldBody): Body {
  let closing: { problem: Problem | undefined } | undefined
  const body = createBody({
    ...port,
    close(problem) {
      closing = { problem }
    },
  })
  const settle = () => {
    if (closing) port.close(closing.problem)
    closing = undefined
  }
  while (body.status() === 'open') {
    cursor.at = body.feed(cursor.text, cursor.at, cursor.text.length)
    settle()
    if (body.status() !== 'open' || cursor.at < cursor.text.length) continue
    if (cursor.isOver) {
      body.end(cursor.isCut)
      settle()
    } else yield
  }
  return body.status() === 'rejected' ? undefined : body.giveBack()
}

export function oldBodyOf(read: (cursor: Cursor, port: CallPort) => Body, port: CallPort): OldBody {
  const run = createRun(cursor => read(cursor, port))
  return {
    feed(chunk, from, to) {
      run.feed(chunk.slice(from, to))
      return to
    },
    end: run.end,
    status: () => (run.isDone() ? (run.result() === undefined ? 'rejected' : 'done') : 'open'),
    giveBack: () => (run.result() ?? 0) + run.unread().length,
  }
}
