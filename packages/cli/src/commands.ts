import { benchCommand } from './bench/bench-command.js'
import type { Command } from './command.js'
import { completionCommand } from './completion/completion-command.js'
import { demoCommand } from './demo/demo-command.js'
import { detectCommand } from './detect/detect-command.js'
import { explainCommand } from './explain/explain-command.js'
import { formatsCommand } from './formats/formats-command.js'
import { parseCommand } from './parse/parse-command.js'
import { promptCommand } from './prompt/prompt-command.js'
import { proxyCommand } from './proxy/proxy-command.js'
import { tokensCommand } from './tokens/tokens-command.js'

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  demoCommand,
  proxyCommand,
  parseCommand,
  explainCommand,
  detectCommand,
  promptCommand,
  tokensCommand,
  formatsCommand,
  benchCommand,
  completionCommand(() => commands),
]
