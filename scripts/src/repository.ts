import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readExamples, readPackages } from './packages.js'

/** Stands for the owner of the repository until there is one. Nothing is published with it. */
export const placeholderOwner = 'OWNER'

/** The address of the repository on GitHub. Only the root's package.json decides it. */
export interface Repository {
  readonly owner: string
  readonly name: string
}

const rootManifest = z.object({ repository: z.object({ url: z.string() }) })
const gitUrl = /^git\+https:\/\/github\.com\/([\w.-]+)\/([\w.-]+)\.git$/

/** Reads the address from `repository.url` of the root's package.json. */
export function readRepository(root: string): Repository {
  const text = readFileSync(join(root, 'package.json'), 'utf8')
  const { url } = rootManifest.parse(JSON.parse(text)).repository
  const [, owner, name] = gitUrl.exec(url) ?? []
  if (owner === undefined || name === undefined) {
    throw new Error(
      `package.json: repository.url is ${url}, expected git+https://github.com/OWNER/NAME.git`,
    )
  }
  return { owner, name }
}

/** Returns the address that people open: `https://github.com/OWNER/toolglot`. */
export function addressOf({ owner, name }: Repository): string {
  return `https://github.com/${owner}/${name}`
}

/** Returns the fields of a package.json that have the address. */
export function linkFields(repository: Repository, directory: string) {
  const address = addressOf(repository)
  return {
    repository: { type: 'git', url: `git+${address}.git`, directory },
    homepage: `${address}/tree/main/${directory}#readme`,
    bugs: `${address}/issues`,
  }
}

/** Returns the text with the address in place of that of any other owner. */
export function withAddress(text: string, repository: Repository): string {
  const name = repository.name.replaceAll('.', '\\.')
  const anyOwner = new RegExp(`https://github\\.com/[\\w.-]+/${name}(?=[/.#)\\s"'<>]|$)`, 'g')
  return text.replace(anyOwner, addressOf(repository))
}

/** A file that has the address, as it is and as it must be. */
export interface AddressFile {
  /** Relative to the root. */
  readonly path: string
  readonly found: string
  readonly expected: string
}

/** Reads the files that can have the address: manifests, READMEs, and the pages of the root. */
export function readAddressFiles(root: string, repository: Repository): AddressFile[] {
  const pages = [
    ...listFiles(root, '.'),
    ...listFiles(root, 'docs'),
    ...listFiles(root, 'examples'),
    ...listFiles(root, '.github'),
    ...listFiles(root, '.github/ISSUE_TEMPLATE'),
    ...[...readPackages(root), ...readExamples(root)].map(
      ({ directory }) => `${directory}/README.md`,
    ),
  ].filter(path => /\.(?:md|yml)$/.test(path) && existsSync(join(root, path)))
  const manifests = readPackages(root).map(({ directory }) => {
    const path = `${directory}/package.json`
    const found = readFileSync(join(root, path), 'utf8')
    return { path, found, expected: withLinkFields(found, repository, directory) }
  })
  const others = ['package.json', ...pages].map(path => {
    const found = readFileSync(join(root, path), 'utf8')
    return { path, found, expected: withAddress(found, repository) }
  })
  return [...manifests, ...others]
}

function listFiles(root: string, directory: string): string[] {
  if (!existsSync(join(root, directory))) return []
  return readdirSync(join(root, directory), { withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ name }) => join(directory, name))
}

/** Returns a package.json with the fields of the address, after `license`. */
function withLinkFields(text: string, repository: Repository, directory: string): string {
  const fields = linkFields(repository, directory)
  const entries = Object.entries(z.record(z.string(), z.unknown()).parse(JSON.parse(text)))
  const others = entries.filter(([key]) => !Object.hasOwn(fields, key))
  const at = others.findIndex(([key]) => key === 'license') + 1
  const all = [...others.slice(0, at), ...Object.entries(fields), ...others.slice(at)]
  return `${JSON.stringify(Object.fromEntries(all), undefined, 2)}\n`
}
