import { failWith, givenTwice } from '../failure.js'
import type { CallOutput } from '../grammar.js'
import { readJson } from '../json/read-json.js'
import { beginArguments, type TagCall } from '../tags/calls-in-tags.js'
import type { Cursor, Reading } from '../text/cursor.js'
import { Token } from '../values/tokens.js'
import { readBlock } from './block.js'
import { findKey, type Key, withoutComment } from './lines.js'
import { putEmptyValue, readPlain, readQuoted, readQuotedWords } from './scalar.js'
import { kindOfValue, type ValueKind } from './value-kind.js'
import {
  currentLevel,
  excerpt,
  fail,
  isDeeper,
  isSameLevel,
  type Level,
  nextLine,
  outermost,
  type YamlState,
} from './yaml-state.js'

/**
 * Reads the arguments of a call as YAML, and its close tag:
 *
 *     <write_file>|
 *     path: src/a.ts
 *     tags:
 *       - new
 *     content: |
 *       if (a < b) return
 *     </write_file>
 *
 * It reads mappings and lists by their indentation, values in a line, blocks, brackets and comments.
 * The schema decides the type of a value. Anchors, tags and complex keys are plain text. If it
 * fails, the cursor is before what could not be read.
 */
export function* readYaml(cursor: Cursor, output: CallOutput, call: TagCall): Reading {
  const [closeTag = ''] = call.ends
  const yaml: YamlState = {
    cursor,
    output,
    writer: call.beginCall(),
    closeTag,
    argumentNames: call.shape.propertyNames,
    seenArguments: beginArguments(call),
    rootLevel: outermost,
    text: '',
    column: 0,
    key: '',
    isAfterBlock: false,
    textColumn: 0,
    lastText: '',
  }
  yield* nextLine(yaml, outermost)
  // Without arguments there is no line, and no entry is at this level.
  yaml.rootLevel = { column: Math.max(yaml.column, 0), isItem: false }
  yield* readEntries(yaml, yaml.rootLevel, outermost)
}

/**
 * Reads the entries of a mapping or a list that was begun, up to a line that belongs to an entry of
 * the level around it.
 */
function* readEntries(yaml: YamlState, level: Level, outer: Level): Reading {
  const isRoot = isSameLevel(level, yaml.rootLevel)
  const seenKeys = isRoot ? yaml.seenArguments : new Set<string>()
  while (isSameLevel(currentLevel(yaml), level)) yield* readEntry(yaml, level, seenKeys)
  // `city: Paris\n|  days: 3`
  if (isDeeper(currentLevel(yaml), outer)) fail(yaml, describeMisfit(yaml, level))
  yaml.writer.put(level.isItem ? Token.endArray : Token.endObject, '')
}

function describeMisfit({ text, column }: YamlState, level: Level): string {
  const expected = level.isItem ? 'a list item' : 'a key'
  const found = `\`${excerpt(text)}\` indented by ${column}`
  return `expected ${expected} indented by ${level.column}, found ${found}`
}

/** Reads `|key: value` or `|- value`, and goes to the next line. */
function* readEntry(yaml: YamlState, level: Level, seenKeys: Set<string>): Reading {
  const { put, expected } = yaml.writer
  const headChars = level.isItem ? 1 : takeKey(yaml, level, seenKeys)
  skipHead(yaml, headChars)
  const isInNextLine = yaml.text === ''
  yaml.isAfterBlock = isInNextLine
  if (isInNextLine) yield* nextLine(yaml, level, true)
  const hasValue = !isInNextLine || isDeeper(currentLevel(yaml), level)
  // `city: |Paris` or `tags:\n|- a`. In the line of a key no list and no mapping can begin.
  if (hasValue) return yield* readValue(yaml, level, isInNextLine || level.isItem)
  // `note:\n|city: Paris`
  putEmptyValue(expected(), put)
}

/** Puts the key at the cursor and returns its length, with the colon. */
function takeKey(yaml: YamlState, level: Level, seenKeys: Set<string>): number {
  const key = findKey(yaml.text)
  if (!key) fail(yaml, `expected a key and a colon, found \`${excerpt(yaml.text)}\``)
  if (isSameLevel(level, yaml.rootLevel)) checkArgument(yaml, key)
  if (seenKeys.has(key.name)) fail(yaml, givenTwice(key.name))
  seenKeys.add(key.name)
  yaml.key = key.name
  yaml.writer.put(Token.key, key.name)
  return key.end
}

/** Lines that are meant as a text must not become arguments (decision 53). */
function checkArgument(yaml: YamlState, key: Key): void {
  const { argumentNames } = yaml
  const { name } = key
  if (!argumentNames.includes(name) && mayBeLineOfText(yaml, key)) {
    fail(yaml, `expected an argument or indented text, found \`${excerpt(yaml.text)}\``)
  }
}

/** Decides whether a key that the tool does not declare may be meant as text. */
function mayBeLineOfText({ isAfterBlock, argumentNames }: YamlState, { isWord }: Key): boolean {
  // `|if x:`
  if (!isWord) return true
  // `content:\n|name: ci`. A tool that declares nothing takes any key.
  return isAfterBlock && argumentNames.length > 0
}

/** Goes from the beginning of an entry to its value: `- |a`, `city: |Paris`. */
function skipHead(yaml: YamlState, headChars: number): void {
  const rest = yaml.text.slice(headChars).trimStart()
  const width = yaml.text.length - rest.length
  yaml.cursor.at += width
  yaml.column += width
  yaml.textColumn = yaml.column
  // `city: Paris</get_weather>`
  const [value = ''] = rest.split(yaml.closeTag, 1)
  yaml.text = withoutComment(value, yaml.writer.expected())
}

/**
 * Entries that are indented by more than this are refused: with each chunk of text all levels are
 * resumed.
 */
const MAX_COLUMN = 256

/** Reads the value of an entry, and goes to the next line. */
function* readValue(yaml: YamlState, entry: Level, mayNest: boolean): Reading {
  const { put, expected } = yaml.writer
  const kind = kindOfValue(yaml.text, expected(), mayNest)
  if (kind !== 'list' && kind !== 'mapping') {
    yaml.isAfterBlock = kind === 'block'
    yaml.lastText = ''
    yield* readScalar(yaml, entry, kind)
    return yield* nextLine(yaml, entry)
  }
  if (yaml.column > MAX_COLUMN) {
    fail(yaml, `expected at most ${MAX_COLUMN} columns of indentation, found ${yaml.column}`)
  }
  put(kind === 'list' ? Token.beginArray : Token.beginObject, '')
  yield* readEntries(yaml, currentLevel(yaml), entry)
}

type ScalarKind = Exclude<ValueKind, 'list' | 'mapping'>

/** Reads a value that has no entries. */
function readScalar(yaml: YamlState, entry: Level, kind: ScalarKind): Reading {
  const shape = yaml.writer.expected()
  switch (kind) {
    case 'block':
      return readBlock(yaml, entry)
    case 'quoted':
      return readQuoted(yaml)
    case 'quoted-words':
      return readQuotedWords(yaml, entry, shape)
    case 'plain':
      return readPlain(yaml, entry, shape)
    case 'brackets':
      return readBrackets(yaml)
  }
}

/** Reads `[a, b]` or `{a: 1}`. */
function* readBrackets(yaml: YamlState): Reading {
  const { put, expectsKey } = yaml.writer
  const syntax = { expectsKey, endMarks: [yaml.closeTag], isYaml: true }
  const problem = yield* readJson(yaml.cursor, put, syntax)
  if (problem) failWith(problem)
}
