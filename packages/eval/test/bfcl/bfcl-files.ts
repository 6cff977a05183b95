import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'

const directories: string[] = []
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
})

/** Writes files in the layout of the leaderboard: objects become JSON lines. */
export function writeBfclFiles(
  files: Readonly<Record<string, readonly object[] | string>>,
): string {
  const directory = mkdtempSync(join(tmpdir(), 'bfcl-'))
  directories.push(directory)
  mkdirSync(join(directory, 'possible_answer'))
  for (const [name, content] of Object.entries(files)) {
    const text =
      typeof content === 'string' ? content : content.map(line => JSON.stringify(line)).join('\n')
    writeFileSync(join(directory, name), text)
  }
  return directory
}

export const ask = (content: string) => [[{ role: 'user', content }]]

export const brew = {
  name: 'tea.brew',
  description: 'Brews tea.',
  parameters: {
    type: 'dict',
    properties: {
      sort: { type: 'string', description: 'Which tea.' },
      minutes: { type: 'float', description: 'How long.' },
      cups: { type: 'integer', description: 'How many.', default: 1 },
    },
    required: ['sort', 'minutes'],
  },
}
export const plant = {
  name: 'plant_bed',
  description: 'Plants a bed.',
  parameters: {
    type: 'dict',
    properties: {
      rows: {
        type: 'array',
        items: {
          type: 'dict',
          properties: { crop: { type: 'string' }, count: { type: 'integer' } },
        },
      },
      soil: { type: 'dict', properties: { kind: { type: 'string' }, ph: { type: 'float' } } },
      corner: { type: 'tuple', items: { type: 'float' } },
      tags: { type: 'array', items: { type: 'string' } },
      note: { type: 'any' },
      covered: { type: 'boolean' },
    },
    required: ['rows'],
  },
}

/** One or two questions of our own in each category. */
export const smallSet = {
  'BFCL_v4_simple_python.json': [
    { id: 'simple_python_0', question: ask('Brew mint tea for four minutes.'), function: [brew] },
    {
      id: 'simple_python_1',
      question: ask('Brew three cups of black tea for 2.5 minutes.'),
      function: [brew],
    },
  ],
  'possible_answer/BFCL_v4_simple_python.json': [
    {
      id: 'simple_python_0',
      ground_truth: [{ 'tea.brew': { sort: ['mint', 'mint tea'], minutes: [4], cups: ['', 1] } }],
    },
    {
      id: 'simple_python_1',
      ground_truth: [{ 'tea.brew': { sort: ['black'], minutes: [2.5], cups: [3] } }],
    },
  ],
  'BFCL_v4_live_multiple.json': [
    {
      id: 'live_multiple_0-0-0',
      question: [
        [
          { role: 'system', content: 'You are a gardener.' },
          { role: 'user', content: 'Plant two rows.' },
        ],
      ],
      function: [brew, plant],
    },
  ],
  'possible_answer/BFCL_v4_live_multiple.json': [
    {
      id: 'live_multiple_0-0-0',
      ground_truth: [
        {
          plant_bed: {
            rows: [
              [
                { crop: ['bean', 'beans'], count: [8] },
                { crop: ['pea'], count: ['', 4] },
              ],
            ],
            soil: ['', { kind: ['loam'], ph: [6.5, ''] }],
            corner: ['', [1, 2.5]],
            tags: ['', ['early', 'south side']],
            note: ['', 'water daily'],
            covered: ['', true],
          },
        },
      ],
    },
  ],
  'BFCL_v4_parallel.json': [
    {
      id: 'parallel_0',
      question: ask('Brew mint for 4 and black for 3 minutes.'),
      function: [brew],
    },
  ],
  'possible_answer/BFCL_v4_parallel.json': [
    {
      id: 'parallel_0',
      ground_truth: [
        { 'tea.brew': { sort: ['mint'], minutes: [4], cups: ['', 1] } },
        { 'tea.brew': { sort: ['black'], minutes: [3], cups: ['', 1] } },
      ],
    },
  ],
  'BFCL_v4_irrelevance.json': [
    { id: 'irrelevance_0', question: ask('What is the capital of Peru?'), function: [brew] },
  ],
  'BFCL_v4_live_relevance.json': [
    { id: 'live_relevance_0', question: ask('Some tea, please.'), function: [brew] },
  ],
  'BFCL_v4_multi_turn_base.json': '{"id":"multi_turn_base_0"}',
  'BFCL_v4_simple_java.json': '',
  'README.md': 'not a question',
} as const
