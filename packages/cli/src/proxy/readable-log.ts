import type { LogOutput } from '@toolglot/proxy/node'
import { escapeControls } from '../json-text.js'
import { printable, wrap } from './terminal-text.js'

type Line = Readonly<Record<string, unknown>>

/**
 * Turns the lines of the log, which are JSON, into lines to read:
 *
 *     12:01:02  200  POST /v1/chat/completions  qwen3  1.2 s
 *     12:01:09  502  POST /v1/messages  qwen3  0.0 s
 *               The upstream "local" cannot be reached, or closed the connection.
 *               cause: connect ECONNREFUSED 127.0.0.1:8080
 *
 * `width` returns the columns of the terminal.
 */
export function createReadableLog(output: LogOutput, width: () => number): LogOutput {
  return {
    write(text: string) {
      const line = parseLine(text)
      const readable = line ? render(line, width()) : text
      if (readable !== '') output.write(readable)
    },
  }
}

function parseLine(text: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

function render(line: Line, width: number): string {
  // The screen at the start says the same.
  if (line.msg === 'listening') return ''
  return line.msg === 'request' ? renderRequest(line, width) : renderMessage(line, width)
}

const INDENT = ' '.repeat(10)

function renderRequest(line: Line, width: number): string {
  const { status, method, path, model, ms, error, cause, warnings, body, answer } = line
  const reason = innermostMessage(cause)
  const seconds = typeof ms === 'number' ? `${(ms / 1000).toFixed(1)} s` : ''
  const request = `${printable(String(method))} ${printable(String(path))}`
  const shown = [timeOf(line), String(status), request, shownModel(model), seconds]
  const notes = [
    ...(typeof error === 'string' ? [error] : []),
    ...(reason === undefined ? [] : [`cause: ${reason}`]),
    ...(Array.isArray(warnings) ? warnings.map(warning => `warning: ${String(warning)}`) : []),
    ...(typeof body === 'string' ? [`request: ${body}`] : []),
    ...(typeof answer === 'string' ? [`answer:  ${answer}`] : []),
  ]
  return joinLines(shown.filter(part => part !== '').join('  '), notes, width)
}

/** `{"message": "Cannot connect to API", "cause": {"message": "connect ECONNREFUSED"}}` */
function innermostMessage(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const inner = 'cause' in error ? innermostMessage(error.cause) : undefined
  if (inner !== undefined) return inner
  return 'message' in error && typeof error.message === 'string' ? error.message : undefined
}

function shownModel(model: unknown): string {
  return typeof model === 'string' ? printable(model) : ''
}

/** A line, and notes about it below. */
function joinLines(line: string, notes: readonly string[], width: number): string {
  const below = notes.flatMap(note => indented(note, width))
  return `${[line, ...below.map(text => INDENT + text)].join('\n')}\n`
}

/** Breaks a text into lines that fit to the right of the time. */
function indented(text: string, width: number): string[] {
  return wrap(escapeControls(text), width - INDENT.length)
}

function renderMessage(line: Line, width: number): string {
  const { level, err, problems } = line
  const isGrave = level !== 'info' && level !== 'debug' && level !== 'trace'
  const before = isGrave ? `${printable(String(level))}: ` : ''
  const [message = '', ...rest] = indented(before + messageOf(line), width)
  const details = [
    ...rest,
    ...(typeof err === 'object' && err !== null && 'message' in err ? [String(err.message)] : []),
    ...(Array.isArray(problems) ? problems.map(String) : []),
  ]
  return joinLines(`${timeOf(line)}  ${message}`, details, width)
}

function messageOf({ msg, active, drainMs, isCut }: Line): string {
  const text = String(msg)
  if (text === 'shutting down' && typeof active === 'number' && active > 0) {
    const answers = active === 1 ? 'the last answer' : `${active} answers`
    const seconds = Number(drainMs) / 1000
    return `shutting down: waiting up to ${seconds} s for ${answers}; Ctrl+C again cuts off what is left`
  }
  return text === 'stopped' && isCut === true ? 'stopped; answers were cut off' : text
}

/** `12:01:02`, in the time of this machine. */
function timeOf({ time }: Line): string {
  const date = new Date(typeof time === 'string' ? time : Number.NaN)
  return Number.isNaN(date.getTime()) ? '--:--:--' : date.toTimeString().slice(0, 8)
}
