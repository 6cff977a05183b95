import { fencedJson } from './protocols/formats/json-formats.js'
import { jsonMixProtocol } from './protocols/json-mix-protocol.js'
import { morphXmlProtocol } from './protocols/morph-xml-protocol.js'
import { createToolMiddleware } from './tool-call-middleware.js'

/** JSON in `<tool_call>` tags: Hermes, Qwen 2.5 and 3, Granite 4 and other models trained on that form. */
export const hermesToolMiddleware = /* @__PURE__ */ createToolMiddleware({ protocol: jsonMixProtocol })

/** JSON in fences labelled `tool_call`: Gemma and small models. */
export const gemmaToolMiddleware = /* @__PURE__ */ createToolMiddleware({ protocol: fencedJson.create })

/** XML elements with raw text: models that write code and long texts as arguments. */
export const xmlToolMiddleware = /* @__PURE__ */ createToolMiddleware({ protocol: morphXmlProtocol })

/** Another name for `xmlToolMiddleware`. */
export const morphXmlToolMiddleware = xmlToolMiddleware
