import { createFormatMiddleware } from './format-middleware.js'
import * as gemma from './protocols/formats/gemma-formats.js'
import * as json from './protocols/formats/json-formats.js'
import * as list from './protocols/formats/json-list-formats.js'
import { minimaxM3 } from './protocols/formats/minimax-m3-format.js'
import * as named from './protocols/formats/named-json-formats.js'
import { morphXml } from './protocols/formats/own-formats.js'
import * as python from './protocols/formats/pythonic-formats.js'
import * as tagged from './protocols/formats/tagged-formats.js'
import { yamlXml } from './protocols/yaml-xml-protocol.js'

// One line each for `wrapLanguageModel`. Of a family with several formats the model's id decides.

/** JSON in `<tool_call>` tags: Hermes, Qwen 2.5 and 3, Granite 4 and other models trained on that form. */
export const hermesToolMiddleware = /* @__PURE__ */ createFormatMiddleware([json.hermes])
/** JSON in fences labelled `tool_call`: Gemma up to 3, and small models. */
export const gemmaToolMiddleware = /* @__PURE__ */ createFormatMiddleware([json.fencedJson])
/** XML elements with raw text: models that write code and long texts as arguments. */
export const xmlToolMiddleware = /* @__PURE__ */ createFormatMiddleware([morphXml])
/** Another name for `xmlToolMiddleware`. */
export const morphXmlToolMiddleware = xmlToolMiddleware
/** The tool's name as a tag with YAML in it: models that write YAML well, and code as arguments. */
export const yamlXmlToolMiddleware = /* @__PURE__ */ createFormatMiddleware([yamlXml])
/** Qwen3-Coder, Qwen 3.5 and 3.6, Nemotron 3, MiMo V2, Step 3.5. */
export const qwen3CoderToolMiddleware = /* @__PURE__ */ createFormatMiddleware([tagged.qwen3Coder, tagged.qwen35])
/** GLM 4.5 to 5. */
export const glmToolMiddleware = /* @__PURE__ */ createFormatMiddleware([tagged.glm47, tagged.glm45])
/** DeepSeek V3, R1, V3.1, V3.2 and V4. */
export const deepseekToolMiddleware = /* @__PURE__ */ createFormatMiddleware([
  tagged.deepseekV32Dsml,
  tagged.deepseekV4Dsml,
  named.deepseekV31,
  named.deepseekV3,
])
/** Kimi K2 and K3. */
export const kimiToolMiddleware = /* @__PURE__ */ createFormatMiddleware([named.kimiK2, tagged.kimiK3])
/** MiniMax M2 and M3. */
export const minimaxToolMiddleware = /* @__PURE__ */ createFormatMiddleware([tagged.minimaxM2, minimaxM3])
/** Mistral, Ministral, Magistral, Devstral. */
export const mistralToolMiddleware = /* @__PURE__ */ createFormatMiddleware([named.mistral])
/** Llama 3.1 to 3.3 and Llama 4. */
export const llamaToolMiddleware = /* @__PURE__ */ createFormatMiddleware([
  json.llama3Json,
  python.llama4Pythonic,
  python.pythonic,
])
/** gpt-oss. */
export const gptOssToolMiddleware = /* @__PURE__ */ createFormatMiddleware([named.gptOssHarmony])
/** Gemma 4. */
export const gemma4ToolMiddleware = /* @__PURE__ */ createFormatMiddleware([gemma.gemma4])
/** Granite 3 and 4. */
export const graniteToolMiddleware = /* @__PURE__ */ createFormatMiddleware([
  json.granite4,
  list.granite3,
  json.granite20bFc,
])
/** Command R, R7B, A and 4. */
export const cohereToolMiddleware = /* @__PURE__ */ createFormatMiddleware([
  list.cohereCommandR7b,
  list.cohereCommand4,
  list.cohereCommandRPlus,
])
/** Hunyuan A13B and 3. */
export const hunyuanToolMiddleware = /* @__PURE__ */ createFormatMiddleware([tagged.hunyuanV3, list.hunyuanA13b])
/** Seed-OSS. */
export const seedOssToolMiddleware = /* @__PURE__ */ createFormatMiddleware([tagged.seedOss])
/** LFM2 and LFM2.5. */
export const lfm2ToolMiddleware = /* @__PURE__ */ createFormatMiddleware([python.lfm2])
/** OLMo 3. */
export const olmo3ToolMiddleware = /* @__PURE__ */ createFormatMiddleware([python.olmo3])
/** Phi-4-mini. */
export const phi4MiniToolMiddleware = /* @__PURE__ */ createFormatMiddleware([list.phi4Mini])
