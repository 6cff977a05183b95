import OpenAI from 'openai'

const { PROXY_URL = 'http://localhost:4141/v1', MODEL = 'qwen3' } = process.env
// Without client keys in toolglot.yaml any key will do.
const client = new OpenAI({ baseURL: PROXY_URL, apiKey: 'any' })

const runner = client.chat.completions.runTools({
  model: MODEL,
  stream: true,
  messages: [{ role: 'user', content: 'What is the weather in Paris?' }],
  tools: [
    {
      type: 'function',
      function: {
        name: 'get_weather',
        description: 'The weather in a city.',
        parameters: {
          type: 'object',
          properties: { city: { type: 'string' } },
          required: ['city'],
        },
        parse: JSON.parse,
        function: getWeather,
      },
    },
  ],
})

/** @param {{ city: string }} input */
function getWeather({ city }) {
  console.log(`> get_weather ${city}`)
  return { city, sky: 'clear', celsius: 21 }
}

runner.on('content', text => process.stdout.write(text))
await runner.done()
console.log()
