import * as formats from '../formats/catalogue.js'
import type { ModelFormat } from '../formats/model-format.js'
import { createFormatMiddleware } from './format-middleware.js'

/** Makes a middleware for one model family. The model's id decides among several formats. */
const preset = (...family: [ModelFormat, ...ModelFormat[]]) => createFormatMiddleware(family)

/**
 * JSON in `<tool_call>` tags: Hermes, Qwen 2.5 and 3, Granite 4 and other models trained on that
 * form. This and the other presets are middlewares without options.
 *
 * @example
 * ```ts
 * import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
 * import { hermesToolMiddleware } from '@toolglot/parser'
 * import { wrapLanguageModel } from 'ai'
 *
 * const local = createOpenAICompatible({ name: 'local', baseURL: 'http://localhost:8080/v1' })
 *
 * export const model = wrapLanguageModel({
 *   model: local('qwen3'),
 *   middleware: hermesToolMiddleware,
 * })
 * ```
 */
export const hermesToolMiddleware = /* @__PURE__ */ preset(formats.hermes)
/** JSON in fences labelled `tool_call`: Gemma up to 3, and small models. */
export const gemmaToolMiddleware = /* @__PURE__ */ preset(formats.fencedJson)
/** XML elements with raw text: models that write code and long texts as arguments. */
export const xmlToolMiddleware = /* @__PURE__ */ preset(formats.morphXml)
/** Another name for `xmlToolMiddleware`. */
export const morphXmlToolMiddleware = xmlToolMiddleware
/** The tool's name as a tag with YAML in it: models that write YAML well, and code as arguments. */
export const yamlXmlToolMiddleware = /* @__PURE__ */ preset(formats.yamlXml)
/** Qwen3-Coder, Qwen 3.5 and 3.6, Nemotron 3, MiMo V2, Step 3.5. */
export const qwen3CoderToolMiddleware = /* @__PURE__ */ preset(formats.qwen3Coder, formats.qwen35)
/** GLM 4.5 to 5. */
export const glmToolMiddleware = /* @__PURE__ */ preset(formats.glm47, formats.glm45)
/** DeepSeek V3, R1, V3.1, V3.2 and V4. */
export const deepseekToolMiddleware = /* @__PURE__ */ preset(
  formats.deepseekV32Dsml,
  formats.deepseekV4Dsml,
  formats.deepseekV31,
  formats.deepseekV3,
)
/** Kimi K2 and K3. */
export const kimiToolMiddleware = /* @__PURE__ */ preset(formats.kimiK2, formats.kimiK3)
/** MiniMax M2 and M3. */
export const minimaxToolMiddleware = /* @__PURE__ */ preset(formats.minimaxM2, formats.minimaxM3)
/** Mistral, Ministral, Magistral, Devstral; Mixtral and others of 2024. */
export const mistralToolMiddleware = /* @__PURE__ */ preset(formats.mistral, formats.mistralV3)
/** Llama 3.1 to 3.3 and Llama 4. */
export const llamaToolMiddleware = /* @__PURE__ */ preset(
  formats.llama3Json,
  formats.llama4Pythonic,
  formats.pythonic,
)
/** gpt-oss. */
export const gptOssToolMiddleware = /* @__PURE__ */ preset(formats.gptOssHarmony)
/** Gemma 4. */
export const gemma4ToolMiddleware = /* @__PURE__ */ preset(formats.gemma4)
/** Granite 3 and 4. */
export const graniteToolMiddleware = /* @__PURE__ */ preset(
  formats.granite4,
  formats.granite3,
  formats.granite20bFc,
)
/** Command R, R7B, A and 4. */
export const cohereToolMiddleware = /* @__PURE__ */ preset(
  formats.cohereCommandR7b,
  formats.cohereCommand4,
  formats.cohereCommandRPlus,
)
/** Hunyuan A13B and 3. */
export const hunyuanToolMiddleware = /* @__PURE__ */ preset(formats.hunyuanV3, formats.hunyuanA13b)
/** Seed-OSS. */
export const seedOssToolMiddleware = /* @__PURE__ */ preset(formats.seedOss)
/** LFM2 and LFM2.5. */
export const lfm2ToolMiddleware = /* @__PURE__ */ preset(formats.lfm2)
/** OLMo 3. */
export const olmo3ToolMiddleware = /* @__PURE__ */ preset(formats.olmo3)
/** Phi-4-mini. */
export const phi4MiniToolMiddleware = /* @__PURE__ */ preset(formats.phi4Mini)
