import { createToolMiddleware, getProtocol, type MediaStrategy } from '@toolglot/parser'
import { describe, expect, test } from 'vitest'
import { transform } from './support/direct.js'
import { scriptModel } from './support/scripted-model.js'
import { type AnyPart, sdkVersions } from './support/sdk-versions.js'
import { createWeatherTools, paris, weatherTool, writeCall } from './support/weather.js'

const protocolNames = ['hermes', 'fenced_json', 'morph_xml']
/** The chat templates of this format show a result without the tool's name. */
const namelessProtocol = 'hermes'

/** The parts that stand for one result in the message of the user. */
async function show(
  output: unknown,
  { protocol = 'hermes', mediaStrategy }: { protocol?: string; mediaStrategy?: MediaStrategy } = {},
): Promise<readonly AnyPart[]> {
  const middleware = createToolMiddleware({ protocol, mediaStrategy })
  const content = [{ type: 'tool-result', toolCallId: 'c1', toolName: 'get_weather', output }]
  const { prompt } = await transform(middleware, {
    prompt: [{ role: 'tool', content }],
    tools: [weatherTool],
  })
  expect(prompt.map(message => message.role)).toEqual(['system', 'user'])
  const [, message] = prompt
  return typeof message?.content === 'string'
    ? [{ type: 'text', text: message.content }]
    : (message?.content ?? [])
}

async function showText(output: unknown, protocol = 'hermes'): Promise<string> {
  const [part, ...others] = await show(output, { protocol })
  expect(others).toEqual([])
  return String(part?.text)
}

describe.for(protocolNames)('a result shown with %s', protocol => {
  test('names the tool, if the format does, and contains the value, text or JSON', async () => {
    const text = await showText({ type: 'text', value: 'clear sky' }, protocol)
    expect(text).toContain('clear sky')
    expect(text.includes('get_weather')).toBe(protocol !== namelessProtocol)
    const json = await showText({ type: 'json', value: { sky: 'clear', wind: [1, 2] } }, protocol)
    expect(json).toMatch(/"sky": ?"clear"[\s\S]*\[1, ?2\]/)
  })

  test.for([null, 0, false, '', [], {}].map(value => ({ value })))(
    'says $value and not nothing',
    async ({ value }) => {
      const text = await showText({ type: 'json', value }, protocol)
      expect(text).toMatch(/response/)
      if (value !== '') expect(text).toContain(JSON.stringify(value))
    },
  )

  test('differs from an error', async () => {
    const good = await showText({ type: 'text', value: 'no such city' }, protocol)
    const bad = await showText({ type: 'error-text', value: 'no such city' }, protocol)
    expect(bad).toContain('no such city')
    expect(bad).toContain('error')
    expect(good).not.toContain('error')
    expect(await showText({ type: 'error-json', value: { code: 404 } }, protocol)).toMatch(
      /error[\s\S]*"code": ?404/,
    )
  })

  test('that was denied says so, with the reason', async () => {
    const denied = await showText({ type: 'execution-denied', reason: 'too expensive' }, protocol)
    expect(denied).toMatch(/not allow|denied/i)
    expect(denied).toContain('too expensive')
    const silent = await showText({ type: 'execution-denied' }, protocol)
    expect(silent).toMatch(/not allow|denied/i)
    expect(silent).not.toContain('undefined')
  })

  test('of an unknown kind is written out, not dropped', async () => {
    expect(await showText({ type: 'hologram', beam: 7 }, protocol)).toMatch(/hologram[\s\S]*7/)
  })
})

const bytes = new Uint8Array([1, 2, 3])
const imageUrl = 'https://example.com/a.png'

/** How each SDK says "text, an image, a PDF", and which file parts its own prompts would hold. */
const multimodal = [
  {
    name: 'ai@5',
    value: [
      { type: 'text', text: 'Two files:' },
      { type: 'media', mediaType: 'image/png', data: 'AAAA' },
      { type: 'media', mediaType: 'application/pdf', data: 'BBBB' },
    ],
    image: { type: 'file', mediaType: 'image/png', data: 'AAAA' },
    pdf: { type: 'file', mediaType: 'application/pdf', data: 'BBBB' },
  },
  {
    name: 'ai@6',
    value: [
      { type: 'text', text: 'Two files:' },
      { type: 'image-data', mediaType: 'image/png', data: 'AAAA' },
      { type: 'file-data', mediaType: 'application/pdf', data: 'BBBB', filename: 'b.pdf' },
    ],
    image: { type: 'file', mediaType: 'image/png', data: 'AAAA' },
    pdf: { type: 'file', mediaType: 'application/pdf', data: 'BBBB', filename: 'b.pdf' },
  },
  {
    name: 'ai@6 by URL',
    value: [
      { type: 'text', text: 'Two files:' },
      { type: 'image-url', url: imageUrl },
      { type: 'file-url', url: 'https://example.com/b.pdf', mediaType: 'application/pdf' },
    ],
    image: { type: 'file', mediaType: 'image/*', data: new URL(imageUrl) },
    pdf: { type: 'file', mediaType: 'application/pdf', data: new URL('https://example.com/b.pdf') },
  },
  {
    name: 'ai@7',
    value: [
      { type: 'text', text: 'Two files:' },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: bytes } },
      {
        type: 'file',
        mediaType: 'application/pdf',
        data: { type: 'url', url: new URL(imageUrl) },
        filename: 'b.pdf',
      },
    ],
    image: { type: 'file', mediaType: 'image/png', data: { type: 'data', data: bytes } },
    pdf: {
      type: 'file',
      mediaType: 'application/pdf',
      data: { type: 'url', url: new URL(imageUrl) },
      filename: 'b.pdf',
    },
  },
]

describe.for(multimodal)('files in a result of $name', ({ value, image, pdf }) => {
  const output = { type: 'content', value }

  test('are sent to the model by the strategy model, after the text of the result', async () => {
    const [text, ...files] = await show(output, { mediaStrategy: 'model' })
    expect(text?.text).toMatch(/Two files:/)
    expect(files).toEqual([image, pdf])
  })

  test('are only named by the strategy placeholder', async () => {
    const parts = await show(output, { mediaStrategy: 'placeholder' })
    expect(parts.map(part => part.type)).toEqual(['text'])
    expect(parts[0]?.text).toMatch(/image/)
    expect(parts[0]?.text).toMatch(/pdf/)
    expect(parts[0]?.text).not.toMatch(/AAAA|BBBB/)
  })

  test('are given if they are images, and else named, by the strategy auto and by default', async () => {
    for (const mediaStrategy of ['auto', undefined] as const) {
      const [text, ...files] = await show(output, mediaStrategy ? { mediaStrategy } : {})
      expect(files).toEqual([image])
      expect(text?.text).toMatch(/pdf/)
      expect(text?.text).not.toMatch(/BBBB/)
    }
  })
})

describe('a file in a result', () => {
  test('that only the provider can find, by an id, is named and leaves what is around it', async () => {
    const value = [
      { type: 'text', text: 'Before' },
      { type: 'file-id', fileId: 'file-7' },
      { type: 'text', text: 'behind' },
    ]
    const parts = await show({ type: 'content', value }, { mediaStrategy: 'model' })
    expect(parts.map(part => part.type)).toEqual(['text'])
    expect(parts[0]?.text).toMatch(/Before\s*\[file.*\]\s*behind/)
  })

  test('keeps its provider options', async () => {
    const providerOptions = { openai: { imageDetail: 'low' } }
    const value = [{ type: 'image-data', mediaType: 'image/png', data: 'AAAA', providerOptions }]
    const [, file] = await show({ type: 'content', value }, { mediaStrategy: 'model' })
    expect(file).toEqual({ type: 'file', mediaType: 'image/png', data: 'AAAA', providerOptions })
  })

  test('is after all results if there are several, which may be one section', async () => {
    const middleware = createToolMiddleware({ protocol: 'hermes' })
    const resultWith = (text: string, data: string) => ({
      type: 'tool-result',
      toolCallId: text,
      toolName: 'get_weather',
      output: {
        type: 'content',
        value: [
          { type: 'text', text },
          { type: 'media', mediaType: 'image/png', data },
        ],
      },
    })
    const content = [resultWith('first', 'AAAA'), resultWith('second', 'BBBB')]
    const { prompt } = await transform(middleware, {
      prompt: [{ role: 'tool', content }],
      tools: [weatherTool],
    })
    const parts = prompt[1]?.content as readonly AnyPart[]
    expect(parts.map(part => part.data)).toEqual([undefined, 'AAAA', 'BBBB'])
    expect(parts[0]?.text).toMatch(
      /first\n\[image: image\/png\][\s\S]*second\n\[image: image\/png\]/,
    )
  })
})

describe.for(sdkVersions)('a tool that throws on $name', version => {
  test('is shown to the model as an error', async () => {
    const { sdk } = version
    const { model, requests } = scriptModel(version, [
      { text: writeCall(getProtocol('hermes'), paris) },
      { text: 'Sorry.' },
    ])
    const { tools } = createWeatherTools()
    const execute = async () => {
      throw new Error('the satellite is down')
    }
    const { text } = await sdk.generateText({
      model: sdk.wrapLanguageModel({
        model,
        middleware: createToolMiddleware({ protocol: 'hermes' }),
      }),
      tools: { get_weather: { ...(tools.get_weather as object), execute } },
      prompt: 'How is the weather?',
      stopWhen: sdk.stepCountIs(3),
    })
    expect(text).toBe('Sorry.')
    expect(JSON.stringify(requests[1]?.prompt.at(-1))).toMatch(/error[\s\S]*the satellite is down/)
  })
})
