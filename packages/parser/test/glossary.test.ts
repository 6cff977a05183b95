import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const source = fileURLToPath(new URL('../src', import.meta.url))
const glossary = readFileSync(new URL('../../../docs/glossary.md', import.meta.url), 'utf8')

/** The files of the parser, as text. */
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts'))
  .map(file => ({ file, text: readFileSync(join(source, file), 'utf8') }))

const allText = files.map(each => each.text).join('\n')

/** A row of the table: `| word | meaning | `Name`, `name` |`. A bar in a cell is written `\\|`. */
const rows = [...glossary.matchAll(/^\| ((?:`[^`]*`|[^|`])+)\|((?:`[^`]*`|[^|`])+)\|(.+)\|$/gm)]
  .map(([, word = '', meaning = '', names = '']) => ({ word: word.trim(), meaning, names }))
  .filter(({ word }) => word !== 'word' && !word.startsWith('---'))

const backticked = (text: string) =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replaceAll('\\|', '|'))

/** Without comments, where an old name may be an ordinary word. */
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

/** Names that were replaced, and what they are called now. */
const oldNames: Readonly<Record<string, string>> = {
  LOOK_CHARS: 'MAX_LOOKAHEAD_CHARS',
  createRun: 'startReader',
  lookAhead: 'peekText',
  finderOf: 'cachedFinder',
  behindSpace: 'withoutLeadingSpace',
  withoutPrefix: 'dropPartialMark',
  isSlip: 'isSpaceOrStrayBrace',
  Findable: 'MarkRule',
  isAtLineStart: 'onlyAtLineStart',
  isAtItemStart: 'onlyAtListItem',
  isAtStart: 'onlyAtTextStart',
  isUnquoted: 'notInInlineCode',
  isOutermost: 'notInBrackets',
  createBefore: 'createLineContext',
  passOver: 'advance',
  isElsewhere: 'isOutOfPlace',
  isLineBlank: 'isLineStart',
  CallPort: 'CallOutput',
  Attempt: 'FallibleReading',
  CallEnd: 'EnvelopeResult',
  isUnsure: 'mayStartInReasoning',
  findInside: 'findInReasoning',
  findOutside: 'findInText',
  goBack: 'rewind',
  giveUp: 'releaseHeld',
  createVoice: 'createTextOutput',
  leaveThought: 'leaveReasoning',
  TurnMark: 'ReasoningMark',
  startsInside: 'startsInReasoning',
  callsCount: 'callsInReasoningCount',
  createMarkup: 'createCallSection',
  unclaimedChars: 'unconfirmedChars',
  takeBegun: 'takePartialMark',
  readChoice: 'tryFormats',
  TrialMark: 'CandidateMark',
  startTrial: 'startAttempt',
  mayBeEmpty: 'acceptsNoCall',
  leftChars: 'unreadChars',
  createQuoteLook: 'createStringEndCheck',
  otherEnds: 'weakEndMarks',
  mayHaveKey: 'expectsKey',
  mayClose: 'mayEndHere',
  gapOf: 'spacePattern',
  idleKeys: 'ignoredKeys',
  mayBeBare: 'mayBeBareArguments',
  isTorn: 'endsMidObject',
  goesOn: 'hasMoreKeys',
  lookAtTag: 'matchOpenTag',
  lookBehindName: 'matchTagRest',
  lookAtHead: 'matchHead',
  hasSections: 'readsCdata',
  hasBlocks: 'trimsBlockLayout',
  isSilent: 'opensNoCall',
  isWeakMark: 'strength',
  isSilentText: 'untypedIsText',
  isPlaced: 'wrapsAllArguments',
  followOf: 'whatFollows',
  tellsList: 'showsListStart',
  isIdle: 'isIgnorableLine',
  putNothing: 'putEmptyValue',
  isSwitch: 'isYamlBoolean',
  ANY_KIND: 'ANY_TYPE',
  silentShape: 'anyShape',
  takers: 'handlers',
  breakOff: 'fail',
  isWhole: 'isComplete',
  waysOf: 'alternativesOf',
  asUnread: 'unreadMetadata',
  readUnread: 'readUnreadMetadata',
  carryOptions: 'withRequestState',
  ownOptions: 'requestState',
  middlewareOf: 'createMiddleware',
  runsOf: 'groupRuns',
  linkOf: 'callReference',
  hideMarks: 'escapeMarks',
  hideTags: 'escapeTags',
}

describe('docs/glossary.md', () => {
  it('has a name in code for every word', () => {
    expect(rows.length).toBeGreaterThan(30)
    expect(rows.filter(({ names }) => backticked(names).length === 0)).toEqual([])
  })

  it('names only what exists', () => {
    const names = rows.flatMap(row => backticked(row.names))
    expect(names.filter(name => !new RegExp(`\\b${name}\\b`).test(allText))).toEqual([])
  })

  it('has examples that the parser reads or writes', () => {
    const examples = rows.flatMap(row => backticked(row.meaning))
    expect(examples.filter(example => !allText.includes(example))).toEqual([])
  })

  it('has replaced the old names', () => {
    const pattern = new RegExp(`\\b(?:${Object.keys(oldNames).join('|')})\\b`, 'g')
    const found = files.flatMap(({ file, text }) =>
      [...withoutComments(text).matchAll(pattern)].map(([name]) => `${file}: ${name}`),
    )
    expect(found).toEqual([])
  })

  it('says `isFinal` in the engine if no more text comes', () => {
    const engine = files.filter(({ file }) => file.startsWith('engine/'))
    const found = engine.filter(({ text }) => /\bisOver\b/.test(withoutComments(text)))
    expect(found.map(({ file }) => file)).toEqual([])
  })
})
