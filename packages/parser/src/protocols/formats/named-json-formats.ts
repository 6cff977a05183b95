import type { ModelFormat } from '../model-format.js'
import { deepseekV3, deepseekV31 } from './deepseek-v3-formats.js'
import { functionaryV31, functionaryV32 } from './functionary-v3-formats.js'
import { gptOssHarmony } from './gpt-oss-harmony-format.js'
import { kimiK2 } from './kimi-k2-format.js'
import { mistral } from './mistral-format.js'
import { react } from './react-format.js'
import { solarOpen } from './solar-open-format.js'

/** Formats that write the tool's name in their markup and the arguments as JSON behind it. */
export const namedJsonFormats: readonly ModelFormat[] = [
  kimiK2,
  mistral,
  deepseekV3,
  deepseekV31,
  functionaryV31,
  functionaryV32,
  solarOpen,
  gptOssHarmony,
  react,
]
