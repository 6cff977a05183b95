import { expect, it } from 'vitest'
import { isThinkingModel } from '../../src/upstream/thinking-models.js'

it.each([
  'qwen3',
  'qwen3:8b',
  'Qwen/Qwen3-235B-A22B-Thinking-2507',
  'Qwen3.5-35B-A3B',
  'qwen3-vl:8b-thinking',
  'QwQ-32B',
  'deepseek-r1:14b',
  'DeepSeek-R1-Distill-Llama-8B',
  'deepseek/deepseek-chat-v3.1',
  'deepseek-ai/DeepSeek-V4-Flash',
  'deepseek-reasoner',
  'GLM-4.5-Air',
  'zai-org/GLM-5',
  'glm-z1-9b',
  'moonshotai/Kimi-K2-Thinking',
  'Kimi-K2.5',
  'MiniMaxAI/MiniMax-M2',
  'gpt-oss:20b',
  'Magistral-Small-2509',
  'nvidia/NVIDIA-Nemotron-Nano-9B-v2',
  'Seed-OSS-36B-Instruct',
  'HuggingFaceTB/SmolLM3-3B',
  'LGAI-EXAONE/EXAONE-4.0-32B',
  'allenai/Olmo-3-32B-Think',
  'microsoft/Phi-4-reasoning-plus',
  'CohereLabs/command-a-reasoning-08-2025',
  'LFM2.5-1.2B-Thinking',
  '/models/Qwen_Qwen3-8B-Q4_K_M.gguf',
  'google/gemma-4-31b-it',
])('%s is known to think', id => {
  expect(isThinkingModel(id)).toBe(true)
})

it.each([
  '',
  'plain',
  'Qwen/Qwen3-Coder-30B-A3B-Instruct',
  'qwen3-30b-a3b-instruct-2507',
  'Qwen2.5-72B-Instruct',
  'qwen3-embedding:8b',
  'deepseek-chat',
  'DeepSeek-V3',
  'glm-4-9b-chat',
  'Kimi-K2-Instruct',
  'Mistral-Small-3.2-24B-Instruct-2506',
  'llama3.1:8b',
  'gemma3:12b',
  'gpt-4o',
  'rethinking',
])('%j is not', id => {
  expect(isThinkingModel(id)).toBe(false)
})

it('an id of 200 kB is judged by its end', () => {
  expect(isThinkingModel(`${'qwen3/'.repeat(35_000)}${'x'.repeat(256)}`)).toBe(false)
  expect(isThinkingModel(`${'x'.repeat(200_000)}/qwen3`)).toBe(true)
})
