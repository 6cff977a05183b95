import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText } from 'ai'
import { messageOf } from './json.js'
import type { Judgement, RunRecord } from './record.js'
import { createRetryingFetch, type Fetch } from './retrying-fetch.js'
import type { Task } from './task.js'

export interface JudgeOptions {
  readonly model: string
  readonly baseUrl: string
  readonly retries: number
  readonly apiKey: string | undefined
  readonly signal: AbortSignal
  readonly fetch?: Fetch | undefined
  readonly firstDelayMs?: number | undefined
}

const system = `You grade the final answer of an assistant that has worked with tools.
You are given the request, an answer that is right, and the answer to grade. Other words, other languages and more detail are fine. Wrong facts, missing facts that the request asks for, and an empty answer are not.
Explain in one sentence. Then write "VERDICT: right" or "VERDICT: wrong" on the last line.`

/**
 * Lets a model grade the final text of a run. The judge sees neither the protocol nor the result of
 * the check.
 */
export async function judgeAnswer(
  task: Task,
  record: RunRecord,
  options: JudgeOptions,
): Promise<Judgement> {
  const { model, baseUrl, retries, apiKey, signal, fetch, firstDelayMs } = options
  const endpoint = createOpenAICompatible({
    name: 'judge',
    baseURL: baseUrl,
    fetch: createRetryingFetch({ retries, fetch, firstDelayMs }).fetch,
    ...(apiKey ? { apiKey } : {}),
  })
  const part = (name: string, text: string) => `<${name}>\n${text}\n</${name}>`
  try {
    const { text } = await generateText({
      model: endpoint(model),
      system,
      prompt: [
        part('request', task.messages.map(({ content }) => content).join('\n\n')),
        part('right_answer', task.solution.answer),
        part('answer_to_grade', record.text),
      ].join('\n\n'),
      temperature: 0,
      maxRetries: 0,
      abortSignal: signal,
    })
    return { verdict: readVerdict(text), text }
  } catch (error) {
    return { verdict: 'failed', text: messageOf(error) }
  }
}

/** Reads the last verdict: a model that reasons in its answer may name both. */
export function readVerdict(text: string): 'right' | 'wrong' | 'unclear' {
  const verdict = [...text.matchAll(/VERDICT\W+(right|wrong)\b/gi)].at(-1)?.[1]?.toLowerCase()
  return verdict === 'right' || verdict === 'wrong' ? verdict : 'unclear'
}
