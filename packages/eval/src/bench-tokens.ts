import { runCommand } from './tokens/command.js'
import { outputPaths, publicOutputPaths } from './tokens/outputs.js'

process.exitCode = await runCommand(process.argv.slice(2), {
  print: text => console.log(text),
  printError: text => console.error(text),
  paths: outputPaths,
  publicPaths: publicOutputPaths,
})
