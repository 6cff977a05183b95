import { describe, expect, it } from 'vitest'
import { engineProtocol } from '../properties/support/protocols.js'
import { readEvents } from '../support/read-answer.js'

const text = { type: 'string' }
const place = { type: 'object', properties: { name: text, zip: text } }
const properties = {
  city: text,
  note: text,
  days: { type: 'integer' },
  tags: { type: 'array', items: text },
  stops: { type: 'array', items: place },
  place,
}
const tools = [
  { type: 'function' as const, name: 'find', inputSchema: { type: 'object', properties } },
]

/** Returns what the body of a call becomes, or its problem, and the codes of its repairs. */
function readBody(name: string, body: string) {
  const token = ']<]minimax[>['
  const isMorph = name === 'morph_xml'
  const written = isMorph
    ? `<find>${body}</find>`
    : `§<tool_call>§<invoke name="find">${body}§</invoke>§</tool_call>`
  const chunks = [written.replaceAll('§', token)]
  const options = { tolerance: 'eager' as const }
  const events = readEvents({ protocol: engineProtocol(name), tools, chunks, options })
  const call = events.find(event => event.type === 'call-end')
  const input = call?.problem ? call.problem.message : JSON.parse(call?.input ?? 'null')
  return { repairs: call?.repairs.map(({ code }) => code).join(' '), input }
}

describe('the repairs of elements', () => {
  it.each([
    // the body of a call                                                 repairs
    ['<city>Paris</city><days>3</days>', ''],
    ['<city>Paris</city></city>', 'extra-close'],
    ['<city>Paris</city></city>  </city><days>3</days>', 'extra-close'],
    ['<city>see </city> here</city>', 'close-in-text'],
    ['<!-- where --><city>Paris</city>', 'comment'],
    ['<city lang="fr">Paris</city>', 'junk-in-tag'],
    ['<place name="a" zip="1"/>', ''],
    ['<place name="a" kind="b"/>', 'junk-in-tag'],
    ['<place name="a" name="b"/>', 'repeated-key'],
    ['<place name="a" name="a"/>', ''],
    ['<place><name>a</name>', 'missing-close'],
    ['<place><name>a</name><zip>1</zip></place>', ''],
    ['<place><name>a</name><city>b</city></place>', 'argument-in-value'],
    ['<place><name>a</name><other>b</other></place>', ''],
    ['<tags><item>a</item><city>b</city>', 'missing-close'],
    ['<tags><item>a</item><item>b</item></tags>', ''],
    ['<tags>a</tags><tags>b</tags>', 'other-item-tag'],
    ['<tags><tag>a</tag><tag>b</tag></tags>', 'other-item-tag'],
    ['<tags><0>a</0><1>b</1></tags>', 'other-item-tag'],
    ['<tags><item>a</item><x>b</x></tags>', 'other-item-tag'],
    ['<tags>a</tags>', 'list-of-one'],
    ['<tags>i<tem>a</item></tags>', 'foreign-close odd-list-of-one'],
    ['<tags>><item>a</item></tags>', 'odd-list-of-one'],
    ['<tags><item>a</tem><item>b</item></tags>', 'argument-in-value'],
    ['<tags><item>a</item>item>b</item></tags>', 'argument-in-value'],
    ['<tags><item>use <item>x</item></item></tags>', ''],
    ['<stops><item><name>a</naem></item><item><name>b</name></item></stops>', 'foreign-close'],
    ['<stops><item><name>a <item>x</item></name></item></stops>', ''],
    ['<stops><item><name>a <b>x</b></name></item></stops>', ''],
    ['<city>>Paris</city>', 'markup-at-edge'],
    ['<city>> Paris</city>', ''],
    ['<city>>3</city>', ''],
    ['<city>>Paris\nwrote</city>', ''],
    ['<city>Paris<</city>', 'markup-at-edge'],
    ['<city>a <</city>', ''],
    ['<note>\na\n<</note>', 'markup-at-edge'],
    ['<note>a <find><city>b</city></find></note>', ''],
    ['<note>a </find> b</note>', ''],
  ])('%s: %s', (body, repairs) => {
    expect(readBody('morph_xml', body).repairs).toBe(repairs)
  })
})

describe('the repairs of elements in MiniMax M3', () => {
  it.each([
    ['§<city>Paris§</city>', ''],
    ['Paris§</city>', 'missing-open'],
    ['§Paris§</city>', 'missing-open'],
    ['city>Paris§</city>', 'missing-tag'],
    ['§ctiy>Paris§</city>', 'missing-tag'],
    ['§<city>Paris]§</city>', 'markup-at-edge'],
    ['§<city>a[1]§</city>', ''],
    ['§<tags>§<item>a§</item>]<]mnimax[>[<item>b§</item>§</tags>', 'argument-in-value'],
    ['§<tags>§<item>a]<]mnimax[>[</item>§<item>b§</item>§</tags>', 'argument-in-value'],
  ])('%s: %s', (body, repairs) => {
    expect(readBody('minimax_m3', body).repairs).toBe(repairs)
  })
})

describe('a close tag that comes more than twice', () => {
  it('ends the value where it comes first', () => {
    const { input } = readBody('morph_xml', '<city>a</city></city>  </city><days>3</days>')
    expect(input).toEqual({ city: 'a', days: 3 })
  })
})
