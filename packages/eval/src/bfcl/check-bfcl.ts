import { isRecord } from '../is-record.js'
import { isEqualJson, preview } from '../live/json.js'
import { pairUp } from '../live/match.js'
import type { BfclFunction, BfclSchema, BfclTruth } from './bfcl-entry.js'
import {
  isObjectList,
  isOptional,
  isSameValue,
  matchesObject,
  matchesObjectList,
} from './match-values.js'

export interface BfclCall {
  readonly name: string
  readonly args: unknown
}

/** Returns the name without dots, which endpoints do not allow. */
export function toToolName(name: string): string {
  return name.replaceAll('.', '_')
}

/** Compares calls with the answers of the leaderboard, in any order. Returns the problems. */
export function checkBfclCalls(
  calls: readonly BfclCall[],
  truths: readonly BfclTruth[],
  functions: readonly BfclFunction[],
): string[] {
  if (calls.length !== truths.length) return [`${calls.length} calls instead of ${truths.length}`]
  const problemOf = (call: BfclCall | undefined, truth: BfclTruth | undefined) =>
    call && truth ? findCallProblem(call, truth, functions) : 'is missing'
  if (pairUp(truths.length, (i, j) => problemOf(calls[j], truths[i]) === undefined)) return []
  return truths.flatMap(truth => {
    const problems = calls.map(call => problemOf(call, truth))
    if (problems.includes(undefined)) return []
    const sameName = calls.findIndex(call => isNamed(call, truth))
    return [problems[Math.max(0, sameName)] ?? 'no call matches']
  })
}

function isNamed(call: BfclCall, truth: BfclTruth): boolean {
  const [name = ''] = Object.keys(truth)
  return toToolName(call.name) === toToolName(name)
}

function findCallProblem(
  call: BfclCall,
  truth: BfclTruth,
  functions: readonly BfclFunction[],
): string | undefined {
  const [[name, allowed] = ['', {}]] = Object.entries(truth)
  if (!isNamed(call, truth)) return `${call.name} was called instead of ${toToolName(name)}`
  const { properties = {}, required = [] } =
    functions.find(each => each.name === name)?.parameters ?? {}
  const args = isRecord(call.args) ? call.args : {}

  const missing = required.find(param => !Object.hasOwn(args, param))
  if (missing !== undefined) return `${name}: the required parameter ${missing} is missing`
  for (const [param, value] of Object.entries(args)) {
    const schema = Object.hasOwn(properties, param) ? properties[param] : undefined
    const values = Object.hasOwn(allowed, param) ? allowed[param] : undefined
    if (!schema || !values) return `${name}: unexpected parameter ${param}`
    const problem = findValueProblem(value, values, schema)
    if (problem !== undefined) return `${name}: ${param} ${problem}`
  }
  const forgotten = Object.entries(allowed).find(
    ([param, values]) => !Object.hasOwn(args, param) && !isOptional(values),
  )
  return forgotten && `${name}: the parameter ${forgotten[0]} is missing`
}

type ValueType = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'null'

function typeOf(value: unknown): ValueType {
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
    return toValueType(typeof value)
  if (value === null || value === undefined) return 'null'
  return Array.isArray(value) ? 'array' : 'object'
}

/** Returns the JSON type for a type name of the leaderboard. */
function toValueType(type: unknown): ValueType {
  switch (typeof type === 'string' ? type.toLowerCase() : '') {
    case 'integer':
    case 'int':
    case 'float':
    case 'double':
    case 'number':
      return 'number'
    case 'boolean':
    case 'bool':
      return 'boolean'
    case 'array':
    case 'tuple':
    case 'list':
      return 'array'
    case 'dict':
    case 'object':
      return 'object'
    default:
      return 'string'
  }
}

function findValueProblem(
  value: unknown,
  allowed: readonly unknown[],
  schema: BfclSchema,
): string | undefined {
  const expected = toValueType(schema.type)
  const type = typeOf(value)
  // An answer whose type is not the schema's is a variable. Then the type of the answer is correct
  // too, and the value is compared unchanged.
  const first = allowed.find(each => each !== '')
  const isVariable = first !== undefined && typeOf(first) !== expected
  if (type !== expected && !(isVariable && type === typeOf(first))) {
    return `is ${preview(value)}, expected type ${String(schema.type)}`
  }
  const isInteger = typeof schema.type === 'string' && /^int(eger)?$/i.test(schema.type)
  if (
    isInteger &&
    typeof value === 'number' &&
    !Number.isInteger(value) &&
    !allowed.includes(value)
  ) {
    return `is ${preview(value)}, expected an integer`
  }
  const problem = `is ${preview(value)}, expected one of ${preview(allowed)}`
  if (isVariable) return allowed.some(each => isEqualJson(value, each)) ? undefined : problem
  return isAllowed(value, allowed) ? undefined : problem
}

function isAllowed(value: unknown, allowed: readonly unknown[]): boolean {
  if (isRecord(value)) return matchesObject(value, allowed)
  if (isObjectList(value)) return matchesObjectList(value, allowed)
  // "" marks an optional parameter. An empty string is accepted too: it means the same as leaving
  // the parameter out.
  return allowed.some(each => isSameValue(value, each))
}
