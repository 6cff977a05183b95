import type { Command } from '../command.js'

/**
 * The demo as the list of commands and the completion need it. It has its own help and reads its
 * own options.
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
    prompt: { type: 'string', value: 'TEXT', about: 'the prompt for that model' },
    help: { type: 'boolean', short: 'h', about: 'show this help' },
  },
  // Loaded only when it runs: the other commands do not need the AI SDK.
  run: async surroundings => (await import('./run-demo.js')).runDemo(surroundings),
}
