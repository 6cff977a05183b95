import { namedJsonFormat } from './named-json-protocol.js'

/**
 *     Thought: I need the weather.
 *     Action: get_weather
 *     Action Input: {"city": "Paris"}
 *     Observation: …
 *
 * Models: any that was prompted in the manner of ReAct. The thought is text. Quirks that are read: the input in a fence, and the word
 * `Observation:` behind it, at which a model should have stopped.
 */
export const react = /* @__PURE__ */ namedJsonFormat({ id: 'react', family: 'models prompted as in ReAct' }, () => ({
  grammar: {
    opens: ['Action:'],
    header: /^Action:[ \t]*(?<name>[^\s{}]+)[ \t]*\r?\n\s*Action Input:$/,
    separators: ['Action Input:'],
    ends: ['Observation:'],
  },
  otherMarks: [],
  writeCall: ({ name, args }) => `Action: ${name}\nAction Input: ${args}`,
  joinCalls: calls => calls.join('\n'),
  writeResult: ({ content }) => `Observation: ${content}`,
  toolsForm: {},
}))
