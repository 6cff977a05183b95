import type { Command } from '../command.js'

/**
 * The demo has a help and a reading of options of its own; here is what the list of commands and
 * the shells need.
 */
export const demoCommand: Command = {
  name: 'demo',
  summary: 'an agent loop on a model that writes tool calls as text',
  options: {
    protocol: {
      type: 'string',
      value: 'NAME',
      completes: 'protocol',
      about: 'how the model writes its calls',
    },
    fast: { type: 'boolean', about: 'do not slow the scripted model down' },
    plain: { type: 'boolean', about: 'a log instead of two columns' },
    'no-color': { type: 'boolean', about: 'no colors' },
    'base-url': {
      type: 'string',
      value: 'URL',
      about: 'use the model of an OpenAI-compatible endpoint',
    },
    model: { type: 'string', value: 'NAME', about: 'the model of that endpoint' },
    prompt: { type: 'string', value: 'TEXT', about: 'what to ask it' },
    help: { type: 'boolean', short: 'h', about: 'show this help' },
  },
  // Only when it runs: it brings the AI SDK along, which the other commands do not need.
  run: async surroundings => (await import('./run-demo.js')).runDemo(surroundings),
}
