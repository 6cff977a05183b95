import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Call, Outcome, Task } from '../../src/live/task.js'
import { catalogue, toolsOf } from '../../src/live/tasks/catalogue.js'

/** Does in the task's world what the solution says, without any model. */
function solve(
  task: Task,
  steps: readonly (readonly Call[])[] = task.solution.steps,
  text = task.solution.answer,
) {
  const { tools, check } = task.open()
  const calls: Outcome['calls'] = steps.flat()
  for (const { name, args } of calls) {
    const tool = tools.find(each => each.name === name)
    if (!tool) throw new Error(`${task.id} has no tool ${name}`)
    expect(tool.findProblem?.(args), `${task.id}: ${name}`).toBeUndefined()
    tool.execute(args)
  }
  return check({ calls, text })
}

const singles = catalogue.filter(({ kind }) => kind === 'single')
const agents = catalogue.filter(({ kind }) => kind === 'agent')

describe('the catalogue', () => {
  it('has enough tasks of both kinds, none of them twice', () => {
    expect(singles.length).toBeGreaterThanOrEqual(20)
    expect(agents.length).toBeGreaterThanOrEqual(10)
    expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length)
    expect(new Set(catalogue.map(({ messages }) => JSON.stringify(messages))).size).toBe(
      catalogue.length,
    )
  })

  it('is counted right in its documentation', () => {
    const text = readFileSync(new URL('../../../../docs/bench-live.md', import.meta.url), 'utf8')
    expect(text).toContain(`| \`single\` | ${singles.length} |`)
    expect(text).toContain(`| \`agent\` | ${agents.length} |`)
    expect(text).toContain(`${catalogue.length} tasks show`)
  })

  it('has single calls of every kind: none, one, several', () => {
    const counts = new Set(singles.map(({ firstStepCalls }) => firstStepCalls))
    expect([...counts].sort()).toEqual([0, 1, 2, 3])
  })

  it('has agent tasks of three to twelve calls', () => {
    for (const { id, solution } of agents) {
      expect(solution.steps.flat().length, id).toBeGreaterThanOrEqual(3)
      expect(solution.steps.flat().length, id).toBeLessThanOrEqual(12)
      expect(solution.steps.length, id).toBeGreaterThanOrEqual(2)
    }
  })

  it('describes every tool', () => {
    for (const { name, description } of toolsOf(catalogue)) expect(description, name).not.toBe('')
  })

  it.each(catalogue)('$id is passed by its solution, each time it is set up', task => {
    expect(solve(task)).toEqual([])
    expect(solve(task)).toEqual([])
  })

  it.each(agents)('$id is not passed by doing nothing, or by leaving out what counts', task => {
    expect(solve(task, [], '')).not.toEqual([])
    const { steps } = task.solution
    const isWrite = ({ name }: Call) =>
      !/^(list|read|get|find|search|query|calculate|convert)/.test(name)
    const lastWrite = steps.findLastIndex(step => step.some(isWrite))
    // A task that only asks something is decided by its answer.
    if (lastWrite < 0) expect(solve(task, steps, 'I do not know.')).not.toEqual([])
    else expect(solve(task, steps.toSpliced(lastWrite, 1))).not.toEqual([])
  })

  it.each(singles.filter(({ solution }) => solution.steps.length))(
    '$id is not passed with other arguments',
    task => {
      const calls = task.solution.steps.flat()
      const { check } = task.open()
      expect(check({ calls: [], text: '' })).not.toEqual([])
      expect(check({ calls: [...calls, ...calls], text: '' })).not.toEqual([])
      expect(
        check({ calls: calls.map(call => ({ ...call, name: 'other' })), text: '' }),
      ).not.toEqual([])
      for (const key of Object.keys(calls[0]?.args ?? {})) {
        const changed = calls.map(call => ({
          ...call,
          args: { ...call.args, [key]: 'no such value' },
        }))
        expect(check({ calls: changed, text: '' }), key).not.toEqual([])
        const more = calls.map(call => ({ ...call, args: { ...call.args, unknown: 1 } }))
        expect(check({ calls: more, text: '' })).not.toEqual([])
      }
    },
  )

  it('takes the order of parallel calls as it comes', () => {
    for (const task of singles.filter(({ firstStepCalls }) => Number(firstStepCalls) > 1)) {
      const calls = task.solution.steps.flat().toReversed()
      expect(task.open().check({ calls, text: '' }), task.id).toEqual([])
    }
  })
})
