import type { ServerConfig, UpstreamState } from '@toolglot/proxy/node'
import { escapeControls } from '../json-text.js'
import { printable } from './terminal-text.js'

/** The models that are named; the others are counted. */
const MAX_NAMED_MODELS = 3

/** Returns the state of a server as one line: `reached: llama.cpp, 2 models`, `reached, but …`. */
export function describeUpstream({ isReached, kind, models, problem }: UpstreamState): string {
  const problemText = escapeControls(problem ?? '')
  if (!isReached) return `not reached: ${problemText}`
  if (problem !== undefined) return `reached${kind ? ` (${kind})` : ''}, but ${problemText}`
  const program = kind ?? 'an unknown kind of server'
  return `reached: ${program}, ${models.length === 1 ? '1 model' : `${models.length} models`}`
}

/** Returns the first models of a server, each as a line, and how many more there are. */
export function nameModels({ models }: UpstreamState): string[] {
  const named = models.slice(0, MAX_NAMED_MODELS).map(printable)
  const more = models.length - MAX_NAMED_MODELS
  return more > 0 ? [...named, `and ${more} more`] : named
}

/** Returns a sentence about a server that no request goes to; nothing for the others. */
export function describeUse(
  { upstreams, models }: ServerConfig,
  { name }: UpstreamState,
): string[] {
  const isUsed = upstreams[0]?.name === name || models.some(({ upstream }) => upstream === name)
  return isUsed
    ? []
    : [`No request goes to it: no rule of a model has upstream: ${printable(name)}.`]
}
