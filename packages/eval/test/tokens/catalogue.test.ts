import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isRecord } from '../../src/is-record.js'
import { groupsOf } from '../../src/tokens/catalogue/case.js'
import { catalogue } from '../../src/tokens/catalogue/catalogue.js'
import { readPublicCases } from '../../src/tokens/catalogue/public-cases.js'

const { tools, cases } = catalogue
const calls = cases.flatMap(each => each.calls.map(call => ({ ...call, caseName: each.name })))

describe('the catalogue', () => {
  it('has enough tools, calls and groups to mean something', () => {
    expect(tools.length).toBeGreaterThanOrEqual(15)
    expect(cases.length).toBeGreaterThanOrEqual(40)
    expect(groupsOf(catalogue)).toEqual(['flat', 'lists', 'nested', 'text'])
    expect(cases.filter(each => each.calls.length > 1).length).toBeGreaterThanOrEqual(3)
  })

  it('names everything once', () => {
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
  })

  it('uses and describes every tool', () => {
    const used = new Set(calls.map(({ toolName }) => toolName))
    for (const { name, description } of tools) {
      expect(used).toContain(name)
      expect(description).toMatch(/\.$/)
    }
  })

  it.each(calls)('calls $toolName as its schema wants it: $caseName', ({ toolName, args }) => {
    const schema = tools.find(({ name }) => name === toolName)?.inputSchema
    if (!isRecord(schema)) throw new Error(`${toolName} has no schema`)
    expect(z.fromJSONSchema(schema).parse(args)).toEqual(args)
    const properties = isRecord(schema.properties) ? schema.properties : {}
    for (const key of Object.keys(args)) expect(properties).toHaveProperty([key])
  })
})

describe('the public cases', () => {
  it('are the 19 calls of 13 tools, each as its schema wants it', async () => {
    const { catalogue } = await readPublicCases()
    expect(catalogue.tools).toHaveLength(13)
    expect(catalogue.cases).toHaveLength(19)
    for (const { name, calls } of catalogue.cases) {
      for (const { toolName, args } of calls) {
        const schema = catalogue.tools.find(each => each.name === toolName)?.inputSchema
        if (!isRecord(schema)) throw new Error(`${toolName} has no schema`)
        expect(z.fromJSONSchema(schema).parse(args), name).toEqual(args)
      }
    }
  })

  it('have published counts that add up to the published totals', async () => {
    const { catalogue, published } = await readPublicCases()
    for (const { cases, calls } of [published.native, published.compact]) {
      expect(Object.keys(cases)).toEqual(catalogue.cases.map(({ name }) => name))
      expect(Object.values(cases).reduce((sum, each) => sum + each, 0)).toBe(calls)
    }
  })

  it('have the licence of their source next to them', async () => {
    const licence = await readFile(
      new URL('../../data/public-cases/LICENSE', import.meta.url),
      'utf8',
    )
    expect(licence).toMatch(/^MIT License\n\nCopyright \(c\) 2026 Sawyer Cutler, Anthony Holley\n/)
    expect(licence).toContain(
      'The above copyright notice and this permission notice shall be included',
    )
  })
})
