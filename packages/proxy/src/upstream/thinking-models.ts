// Families of models that write their reasoning into the text, by their ids. An id that is missing
// here costs nothing but the default: `reasoning: true` in the model's rule says the same.

/** The families, each with an id that it is for. Ids are in lower case, with `-` for `_`. */
const families: readonly RegExp[] = [
  // `Qwen3-4B-Thinking-2507`, `Olmo-3-32B-Think`, `Phi-4-reasoning-plus`, `deepseek-reasoner`
  /(?:^|[^a-z])(?:think|thinking|reasoning|reasoner)(?:[^a-z]|$)/,
  // `qwen3:8b`, `Qwen3.5-35B-A3B`, but not `Qwen3-Coder` and `Qwen3-30B-A3B-Instruct-2507`
  /qwen-?3(?!.*(?:coder|instruct|embed|rerank))/,
  // `QwQ-32B`
  /qwq/,
  // `DeepSeek-R1-Distill-Qwen-7B`, `deepseek-chat-v3.1`, `DeepSeek-V4`
  /deepseek-?r1|deepseek-(?:chat-)?v(?:3\.[12]|4)/,
  // `GLM-4.5-Air`, `GLM-5`, `GLM-Z1-9B`
  /glm-?(?:4\.[5-9]|[5-9]|z1)/,
  // `Kimi-K2.5`; K2 without a version does not think
  /kimi-?k(?:2\.[5-9]|[3-9])/,
  // `MiniMax-M2`
  /minimax-?m[1-9]/,
  // `gpt-oss-20b`
  /gpt-?oss/,
  // `Magistral-Small-2509`
  /magistral/,
  // `NVIDIA-Nemotron-Nano-9B-v2`
  /nemotron/,
  // `Seed-OSS-36B-Instruct`
  /seed-?oss/,
  // `Hunyuan-A13B-Instruct`
  /hunyuan-?(?:a13b|[3-9])/,
  // `SmolLM3-3B`
  /smollm-?3/,
  // `EXAONE-4.0-32B`, `EXAONE-Deep-7.8B`, `K-EXAONE-236B-A23B`
  /exaone-(?:4|deep)|k-exaone/,
  // `ERNIE-X1.1`
  /ernie-?x1/,
  // `Apriel-1.5-15b-Thinker`
  /apriel/,
  // `Intern-S1`
  /intern-?s1/,
  // `MiMo-V2-Flash`
  /mimo/,
  // `Step-3.5-Flash`
  /step-?3/,
  // `solar-open-100b`
  /solar-open/,
  // `gemma-4-31b-it`
  /gemma-?4/,
]

/** An id may be the path of a file, which ends with the name of the model. */
const MAX_ID_CHARS = 256

/** Returns whether a model is known to write reasoning, judged by its id. */
export function isThinkingModel(id: string): boolean {
  const plain = id.slice(-MAX_ID_CHARS).toLowerCase().replaceAll('_', '-')
  return families.some(family => family.test(plain))
}
