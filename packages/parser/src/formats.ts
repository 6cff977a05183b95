// The built-in formats, each by itself: what is not imported is not bundled.
export { createFormatMiddleware } from './format-middleware.js'
export { deepseekV3, deepseekV31 } from './protocols/formats/deepseek-v3-formats.js'
export { functionaryV31, functionaryV32 } from './protocols/formats/functionary-v3-formats.js'
export { functionGemma, gemma3, gemma4 } from './protocols/formats/gemma-formats.js'
export { gptOssHarmony } from './protocols/formats/gpt-oss-harmony-format.js'
export { inkling } from './protocols/formats/inkling-format.js'
export {
  ernie45,
  exaone4,
  fencedJson,
  gigachat3,
  granite4,
  granite20bFc,
  hermes,
  internlm2,
  llama3Json,
  longcat,
  minimaxM1,
  rekaEdge,
} from './protocols/formats/json-formats.js'
export {
  apertus,
  apriel,
  cohereCommand4,
  cohereCommandR7b,
  cohereCommandRPlus,
  firefunctionV2,
  granite3,
  hunyuanA13b,
  jamba,
  jsonArray,
  nemotronNanoV2,
  phi4Mini,
  xlam,
} from './protocols/formats/json-list-formats.js'
export { kimiK2 } from './protocols/formats/kimi-k2-format.js'
export { kimiK3 } from './protocols/formats/kimi-k3-format.js'
export { minimaxM3 } from './protocols/formats/minimax-m3-format.js'
export { mistral } from './protocols/formats/mistral-format.js'
export { museGlimmer } from './protocols/formats/muse-glimmer-format.js'
export { compactJson, line, morphXml, wire } from './protocols/formats/own-formats.js'
export { lfm2, llama4Pythonic, olmo3, pythonic } from './protocols/formats/pythonic-formats.js'
export { react } from './protocols/formats/react-format.js'
export { solarOpen } from './protocols/formats/solar-open-format.js'
export {
  anthropicXml,
  deepseekV4Dsml,
  deepseekV32Dsml,
  dots,
  glm45,
  glm47,
  hunyuanV3,
  kExaone2,
  minicpm5,
  minimaxM2,
  poolsideV1,
  qwen3Coder,
  qwen35,
  seedOss,
  step3,
} from './protocols/formats/tagged-formats.js'
export type { ModelFormat } from './protocols/model-format.js'
export { yamlXml } from './protocols/yaml-xml-protocol.js'
