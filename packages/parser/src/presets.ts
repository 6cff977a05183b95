import { createFormatMiddleware } from './format-middleware.js'
import { deepseekV3, deepseekV31 } from './protocols/formats/deepseek-v3-formats.js'
import { gemma4 } from './protocols/formats/gemma-formats.js'
import { gptOssHarmony } from './protocols/formats/gpt-oss-harmony-format.js'
import { fencedJson, granite4, granite20bFc, hermes, llama3Json } from './protocols/formats/json-formats.js'
import {
  cohereCommand4,
  cohereCommandR7b,
  cohereCommandRPlus,
  granite3,
  hunyuanA13b,
  phi4Mini,
} from './protocols/formats/json-list-formats.js'
import { kimiK2 } from './protocols/formats/kimi-k2-format.js'
import { kimiK3 } from './protocols/formats/kimi-k3-format.js'
import { minimaxM3 } from './protocols/formats/minimax-m3-format.js'
import { mistral } from './protocols/formats/mistral-format.js'
import { morphXml } from './protocols/formats/own-formats.js'
import { lfm2, llama4Pythonic, olmo3, pythonic } from './protocols/formats/pythonic-formats.js'
import {
  deepseekV4Dsml,
  deepseekV32Dsml,
  glm45,
  glm47,
  hunyuanV3,
  minimaxM2,
  qwen3Coder,
  qwen35,
  seedOss,
} from './protocols/formats/tagged-formats.js'
import { yamlXml } from './protocols/yaml-xml-protocol.js'

// One line each for `wrapLanguageModel`. Of a family with several formats the model's id decides.

/** JSON in `<tool_call>` tags: Hermes, Qwen 2.5 and 3, Granite 4 and other models trained on that form. */
export const hermesToolMiddleware = /* @__PURE__ */ createFormatMiddleware([hermes])

/** JSON in fences labelled `tool_call`: Gemma up to 3, and small models. */
export const gemmaToolMiddleware = /* @__PURE__ */ createFormatMiddleware([fencedJson])

/** XML elements with raw text: models that write code and long texts as arguments. */
export const xmlToolMiddleware = /* @__PURE__ */ createFormatMiddleware([morphXml])

/** Another name for `xmlToolMiddleware`. */
export const morphXmlToolMiddleware = xmlToolMiddleware

/** The tool's name as a tag with YAML in it: models that write YAML well, and code as arguments. */
export const yamlXmlToolMiddleware = /* @__PURE__ */ createFormatMiddleware([yamlXml])

/** Qwen3-Coder, Qwen 3.5 and 3.6, Nemotron 3, MiMo V2, Step 3.5. */
export const qwen3CoderToolMiddleware = /* @__PURE__ */ createFormatMiddleware([qwen3Coder, qwen35])

/** GLM 4.5 to 5. */
export const glmToolMiddleware = /* @__PURE__ */ createFormatMiddleware([glm47, glm45])

/** DeepSeek V3, R1, V3.1, V3.2 and V4. */
export const deepseekToolMiddleware = /* @__PURE__ */ createFormatMiddleware([
  deepseekV32Dsml,
  deepseekV4Dsml,
  deepseekV31,
  deepseekV3,
])

/** Kimi K2 and K3. */
export const kimiToolMiddleware = /* @__PURE__ */ createFormatMiddleware([kimiK2, kimiK3])

/** MiniMax M2 and M3. */
export const minimaxToolMiddleware = /* @__PURE__ */ createFormatMiddleware([minimaxM2, minimaxM3])

/** Mistral, Ministral, Magistral, Devstral. */
export const mistralToolMiddleware = /* @__PURE__ */ createFormatMiddleware([mistral])

/** Llama 3.1 to 3.3 and Llama 4. */
export const llamaToolMiddleware = /* @__PURE__ */ createFormatMiddleware([llama3Json, llama4Pythonic, pythonic])

/** gpt-oss. */
export const gptOssToolMiddleware = /* @__PURE__ */ createFormatMiddleware([gptOssHarmony])

/** Gemma 4. */
export const gemma4ToolMiddleware = /* @__PURE__ */ createFormatMiddleware([gemma4])

/** Granite 3 and 4. */
export const graniteToolMiddleware = /* @__PURE__ */ createFormatMiddleware([granite4, granite3, granite20bFc])

/** Command R, R7B, A and 4. */
export const cohereToolMiddleware = /* @__PURE__ */ createFormatMiddleware([
  cohereCommandR7b,
  cohereCommand4,
  cohereCommandRPlus,
])

/** Hunyuan A13B and 3. */
export const hunyuanToolMiddleware = /* @__PURE__ */ createFormatMiddleware([hunyuanV3, hunyuanA13b])

/** Seed-OSS. */
export const seedOssToolMiddleware = /* @__PURE__ */ createFormatMiddleware([seedOss])

/** LFM2 and LFM2.5. */
export const lfm2ToolMiddleware = /* @__PURE__ */ createFormatMiddleware([lfm2])

/** OLMo 3. */
export const olmo3ToolMiddleware = /* @__PURE__ */ createFormatMiddleware([olmo3])

/** Phi-4-mini. */
export const phi4MiniToolMiddleware = /* @__PURE__ */ createFormatMiddleware([phi4Mini])
