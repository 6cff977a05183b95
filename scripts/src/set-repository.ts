import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addressOf, readAddressFiles, readRepository } from './repository.js'

// npm run repository: writes the address of the root's package.json into all other files that have it.
const root = process.cwd()
const repository = readRepository(root)
const outdated = readAddressFiles(root, repository).filter(each => each.found !== each.expected)
for (const { path, expected } of outdated) writeFileSync(join(root, path), expected)
console.log(
  `The address is ${addressOf(repository)}. Files written: ${outdated.map(({ path }) => path).join(', ') || 'none'}`,
)
