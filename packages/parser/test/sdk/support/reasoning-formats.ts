/**
 * The marks around reasoning in the formats that have some: before it, after it, and before the
 * answer.
 */
export interface ReasoningFormat {
  readonly protocol: string
  readonly open: string
  readonly close: string
  readonly answer: string
  /** A call inside the reasoning of these models counts. */
  readonly isCalling?: boolean
}

export const reasoningFormats: readonly ReasoningFormat[] = [
  { protocol: 'hermes', open: '<think>\n', close: '\n</think>\n\n', answer: '' },
  { protocol: 'qwen3_coder', open: '<think>\n', close: '\n</think>\n\n', answer: '' },
  {
    protocol: 'gpt_oss_harmony',
    open: '<|channel|>analysis<|message|>',
    close: '<|end|>',
    answer: '<|start|>assistant<|channel|>final<|message|>',
    isCalling: true,
  },
  { protocol: 'gemma4', open: '<|channel>thought\n', close: '<channel|>', answer: '' },
  {
    protocol: 'kimi_k3',
    open: '<|open|>think<|sep|>',
    close: '<|close|>think<|sep|>',
    answer: '<|open|>response<|sep|>',
  },
  {
    protocol: 'cohere_command4',
    open: '<|START_THINKING|>',
    close: '<|END_THINKING|>',
    answer: '<|START_TEXT|>',
  },
  { protocol: 'minimax_m3', open: '<mm:think>', close: '</mm:think>', answer: '' },
  { protocol: 'mistral', open: '[THINK]', close: '[/THINK]', answer: '' },
  { protocol: 'seed_oss', open: '<seed:think>', close: '</seed:think>', answer: '' },
]
