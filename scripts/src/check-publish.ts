import { dryPublish } from './dry-publish.js'
import { publicPackages, readPackages } from './packages.js'
import { createRunCommand } from './run-command.js'

// npm run check:publish: npm publish --dry-run for each package, and what is in the tarballs.
const root = process.cwd()
const packages = publicPackages(readPackages(root))
const problems = dryPublish(packages, createRunCommand(root))
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
else console.log(`can be published: ${packages.map(({ manifest }) => manifest.name).join(', ')}`)
