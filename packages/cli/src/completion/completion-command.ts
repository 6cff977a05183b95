import { type Command, defineCommand } from '../command.js'
import { ExitCode } from '../terminal.js'
import { UsageError } from '../usage-error.js'
import { bashScript } from './bash-script.js'
import { fishScript } from './fish-script.js'
import { zshScript } from './zsh-script.js'

const scripts: Readonly<Record<string, (commands: readonly Command[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** `commands` is a function because this command is one of them. */
export function completionCommand(commands: () => readonly Command[]): Command {
  const shells = Object.keys(scripts)
  return defineCommand({
    name: 'completion',
    summary: `a completion script for ${shells.join(', ')}`,
    usage: shells.join('|'),
    operands: shells,
    description: 'Prints a script that completes commands, options and the names of formats.',
    options: {},
    more: `Install it where your shell finds it:
  bash  echo 'source <(toolglot completion bash)' >> ~/.bashrc
  zsh   echo 'source <(toolglot completion zsh)' >> ~/.zshrc (below compinit)
  fish  toolglot completion fish > ~/.config/fish/completions/toolglot.fish

Exit codes: 0 done, 2 wrong usage.`,
    async run({ operands: [shell], stdout }) {
      if (shell === undefined)
        throw new UsageError(`completion needs a shell: ${shells.join(', ')}.`)
      const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
      if (!script) {
        throw new UsageError(
          `There is no completion for ${JSON.stringify(shell)}. The supported shells are: ${shells.join(', ')}.`,
        )
      }
      stdout.write(script(commands()))
      return ExitCode.success
    },
  })
}
