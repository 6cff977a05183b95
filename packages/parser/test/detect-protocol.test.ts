import { detectProtocol, getProtocol, getProtocolInfo, listProtocols } from '@toolglot/parser'
import { describe, expect, test, vi } from 'vitest'
import { modelScore } from '../src/formats/model-format.js'
import { nativeFormats } from '../src/formats/registry.js'
import { oslo, paris, weatherTool, writeCall } from './sdk/support/weather.js'

describe('a protocol found by the id of a model', () => {
  test.for([
    ['Qwen/Qwen3-Coder-480B-A35B-Instruct', 'qwen3_coder'],
    ['qwen3:8b', 'hermes'],
    ['qwen2.5-coder:7b', 'hermes'],
    ['qwen3.5-35b-a3b', 'qwen3_5'],
    ['hermes3:8b', 'hermes'],
    ['NousResearch/Hermes-3-Llama-3.1-8B', 'hermes'],
    ['meta-llama/Llama-3.1-8B-Instruct', 'llama3_json'],
    ['llama3.1:8b', 'llama3_json'],
    ['llama-3.2-1b-instruct', 'pythonic'],
    ['meta-llama/Llama-3.2-1B-Instruct', 'pythonic'],
    ['nvidia/llama-3.3-nemotron-super-49b', 'nemotron_nano_v2'],
    ['meta-llama/Llama-4-Maverick-17B', 'llama4_pythonic'],
    ['gpt-oss:20b', 'gpt_oss_harmony'],
    ['moonshotai/kimi-k2-0905', 'kimi_k2'],
    ['kimi-k3', 'kimi_k3'],
    ['deepseek-r1', 'deepseek_v3'],
    ['deepseek-ai/DeepSeek-V3.1', 'deepseek_v3_1'],
    ['deepseek-v3.2', 'deepseek_v3_2_dsml'],
    ['glm-4.5-air', 'glm_4_5'],
    ['zai-org/GLM-4.7', 'glm_4_7'],
    ['google/gemma-3-27b-it', 'gemma3'],
    ['gemma-4-31b', 'gemma4'],
    ['functiongemma-270m', 'functiongemma'],
    ['mistralai/Devstral-Small-2507', 'mistral'],
    ['devstral:24b', 'mistral'],
    ['voxtral-small-latest', 'mistral'],
    ['mistral:7b', 'mistral_v3'],
    ['mistral', 'mistral_v3'],
    ['open-mistral-nemo', 'mistral_v3'],
    ['mistralai/Mixtral-8x22B-Instruct-v0.1', 'mistral_v3'],
    ['mistral-large-2411', 'mistral_v3'],
    ['pixtral-12b-2409', 'mistral_v3'],
    ['LGAI-EXAONE/K-EXAONE-236B-A23B', 'exaone4'],
    ['LGAI-EXAONE/K-EXAONE-2-236B', 'k_exaone2'],
    ['NousResearch/Hermes-3-Llama-3.2-3B', 'hermes'],
    ['Team-ACE/ToolACE-2-Llama-3.1-8B', 'pythonic'],
    ['llama3.2', 'pythonic'],
    ['llama3.2:3b', 'pythonic'],
    ['llama3.2-vision:11b', 'llama3_json'],
    ['us.meta.llama3-2-3b-instruct-v1:0', 'pythonic'],
    ['llama-v3p1-8b-instruct', 'llama3_json'],
    ['nvidia/Llama-3.1-Nemotron-70B-Instruct-HF', 'llama3_json'],
    ['nvidia/Llama-3_3-Nemotron-Super-49B-v1_5', 'nemotron_nano_v2'],
    ['deepseek-v3p1', 'deepseek_v3_1'],
    ['deepseek-v3-1-250821', 'deepseek_v3_1'],
    ['DeepSeek-V3_1', 'deepseek_v3_1'],
    ['deepseek.v3-v1:0', 'deepseek_v3_1'],
    ['deepseek-v3-2-251201', 'deepseek_v3_2_dsml'],
    ['deepseek-v3-250324', 'deepseek_v3'],
    ['us.deepseek.r1-v1:0', 'deepseek_v3'],
    ['glm-4p6', 'glm_4_5'],
    ['glm-4-5-air', 'glm_4_5'],
    ['minimax/minimax-01', 'minimax_m1'],
    ['ernie4.5:21b', 'ernie45'],
    ['gptoss:20b', 'gpt_oss_harmony'],
    ['granite4', 'granite4'],
    ['granite4:350m', 'granite4'],
    ['qwen3_coder_30b', 'qwen3_coder'],
    ['ibm-granite/granite-3.3-8b-instruct', 'granite3'],
    ['cohere/command-a', 'cohere_command_r7b'],
    ['command-a-reasoning-08-2025', 'cohere_command4'],
    ['microsoft/Phi-4-mini-instruct', 'phi4_mini'],
    ['ByteDance-Seed/Seed-OSS-36B-Instruct', 'seed_oss'],
    ['LiquidAI/LFM2-8B-A1B', 'lfm2'],
  ])('%s writes %s', ([modelId = '', protocol = '']) => {
    const expected = { protocol, by: 'modelId', alternatives: [] }
    expect(detectProtocol({ modelId })).toEqual(expected)
    expect(detectProtocol(modelId)).toEqual(expected)
    expect(detectProtocol(modelId.toUpperCase())).toEqual(expected)
  })

  test.for([
    'gpt-4o',
    'claude-sonnet-4',
    'gemini-2.5-pro',
    'my-own-finetune',
    'gemma-2b',
    'phi-4',
    '',
  ])('%s shows no protocol', modelId => {
    expect(detectProtocol({ modelId })).toBeUndefined()
    expect(detectProtocol(modelId)).toBeUndefined()
  })
})

/** Loops over calls as templates write them; what stands in the braces is not looked at. */
const loop = (inside: string) =>
  `{%- for message in messages %}{%- if message.tool_calls %}{%- for call in message.tool_calls %}${inside}{%- endfor %}{%- endif %}{%- endfor %}`
const args = '{{- call.arguments | tojson }}'
const params = (inside: string) =>
  `{%- for key, value in call.arguments | items %}${inside}{%- endfor %}`

const templates: Record<string, string> = {
  hermes: `${loop(`{{- '<tool_call>\\n{"name": "' ~ call.name ~ '", "arguments": ' }}${args}{{- '}\\n</tool_call>' }}`)}{{- '<tool_response>\\n' ~ content ~ '\\n</tool_response>' }}`,
  exaone4: `${loop(`{{- '<tool_call>' ~ (call | tojson) ~ '</tool_call>' }}`)}{{- '<tool_result>' ~ content ~ '</tool_result>' }}`,
  qwen3_coder: `${loop(`{{- '<tool_call>\\n<function=' + call.name + '>\\n' }}${params(`{{- '<parameter=' + key + '>\\n' + value + '\\n</parameter>\\n' }}`)}{{- '</function>\\n</tool_call>' }}`)}<tool_response></tool_response>`,
  seed_oss: loop(
    `{{ '<seed:tool_call>\\n<function=' + call.name + '>' }}${params(`{{ '<parameter=' + key + '>' + value + '</parameter>' }}`)}{{ '</function>\\n</seed:tool_call>' }}`,
  ),
  glm_4_5: `${loop(`{{ '<tool_call>' + call.name }}${params('<arg_key>{{ key }}</arg_key>\n<arg_value>{{ value }}</arg_value>')}</tool_call>`)}<tool_response>{{ content }}</tool_response>`,
  kimi_k2: `<|tool_calls_section_begin|>${loop(`<|tool_call_begin|>{{ call.id }}<|tool_call_argument_begin|>${args}<|tool_call_end|>`)}<|tool_calls_section_end|>`,
  mistral: loop(`{{- '[TOOL_CALLS]' + call.name + '[ARGS]' }}${args}`),
  deepseek_v3: `{{ '<｜tool▁calls▁begin｜>' }}${loop(`{{ '<｜tool▁call▁begin｜>' + call.type + '<｜tool▁sep｜>' + call.name + '\\n' + '\`\`\`json' + '\\n' }}${args}{{ '\\n\`\`\`' + '<｜tool▁call▁end｜>' }}`)}{{ '<｜tool▁calls▁end｜>' }}`,
  deepseek_v3_1: `{{ '<｜tool▁calls▁begin｜>' }}${loop(`{{ '<｜tool▁call▁begin｜>' + call.name + '<｜tool▁sep｜>' }}${args}{{ '<｜tool▁call▁end｜>' }}`)}{{ '<｜tool▁calls▁end｜>' }}`,
  gpt_oss_harmony: loop(
    `{{- "<|start|>assistant to=" }}{{- "functions." + call.name + "<|channel|>commentary " }}{{- "json" + "<|message|>" }}${args}{{- "<|call|>" }}`,
  ),
  gemma4: loop(
    `{{- '<|tool_call>call:' + call.name + '{' }}${params(`{{- key + ':<|"|>' + value + '<|"|>' }}`)}{{- '}<tool_call|>' }}`,
  ),
  cohere_command_r7b: loop(
    `<|START_ACTION|>[{"tool_name": "{{ call.name }}", "parameters": ${args}}]<|END_ACTION|>`,
  ),
  granite3: loop(`{{- '<|start_of_role|>assistant<|end_of_role|><|tool_call|>' }}${args}`),
  lfm2: loop(`{{- '<|tool_call_start|>[' ~ call.name ~ '(' }}${args}{{- ')]<|tool_call_end|>' }}`),
  minimax_m2: loop(
    `<minimax:tool_call>\n<invoke name="{{ call.name }}">${params('<parameter name="{{ key }}">{{ value }}</parameter>')}</invoke>\n</minimax:tool_call>`,
  ),
  minimax_m3: loop(
    `{% set ns = ']<]minimax[>[' %}{{ ns + '<tool_call>' + ns + '<invoke name="' + call.name + '">' }}${params(`{{ ns + '<' + key + '>' + value + ns + '</' + key + '>' }}`)}{{ ns + '</invoke>' + ns + '</tool_call>' }}`,
  ),
  // Marks are also put together from variables.
  deepseek_v3_2_dsml: `{% set token = '｜DSML｜' %}${loop(`{{ '<' + token + 'function_calls>\\n<' + token + 'invoke name="' + call.name + '">' }}${params(`{{ '<' + token + 'parameter name="' + key + '" string="true">' + value + '</' + token + 'parameter>' }}`)}{{ '</' + token + 'invoke>\\n</' + token + 'function_calls>' }}`)}`,
  apertus: loop(`{{- '<|tools_prefix|>[' }}${args}{{- ']<|tools_suffix|>' }}`),
  internlm2: loop(`{{- '<|action_start|>' + '<|plugin|>' }}${args}{{- '<|action_end|>' }}`),
}

describe('a long id of a model', () => {
  const path = `/models/${'stral-24/'.repeat(20_000)}`

  test('is found by its end', () => {
    expect(detectProtocol({ modelId: `${path}Ministral-8B-2410.gguf` })?.protocol).toBe(
      'mistral_v3',
    )
    expect(detectProtocol({ modelId: `qwen3-coder${path}` })).toBeUndefined()
  })

  test('is cut before a pattern reads it', () => {
    const exec = vi.spyOn(RegExp.prototype, 'exec')
    for (const format of nativeFormats) modelScore(format, path)
    const chars = exec.mock.calls.map(([text]) => text.length)
    exec.mockRestore()
    expect(chars.length).toBeGreaterThan(nativeFormats.length / 2)
    expect(Math.max(...chars)).toBeLessThanOrEqual(256)
  })

  test.each(nativeFormats.map(({ id, models }) => [id, models?.source ?? '']))(
    '%s: no pattern repeats without a limit more than once: %s',
    (_, source) => {
      for (const alternative of source.split('|')) {
        const repeats = alternative.match(/[*+](?!$)|\{\d*,\}/g) ?? []
        expect(repeats.length, alternative).toBeLessThanOrEqual(1)
      }
    },
  )
})

describe('a protocol found by a chat template', () => {
  test.for(Object.entries(templates))('of %s', ([protocol, chatTemplate]) => {
    const found = detectProtocol({ chatTemplate })
    expect(found).toMatchObject({ protocol, by: 'chatTemplate' })
    expect(detectProtocol(chatTemplate)).toEqual(found)
    // What a template says beside its calls matters only among those that write alike.
    const around = `{%- if tools %}{{ '<tools>' ~ (tools | tojson) ~ '</tools>' }}{%- endif %}${chatTemplate}{{ eos_token }}`
    expect(detectProtocol({ chatTemplate: around })).toMatchObject({ protocol, by: 'chatTemplate' })
  })

  test('names those that write calls in the same way', () => {
    expect(detectProtocol(templates.qwen3_coder ?? '')?.alternatives).toEqual(['qwen3_5'])
    expect(detectProtocol(templates.cohere_command_r7b ?? '')?.alternatives).toEqual([
      'cohere_command4',
    ])
    expect(detectProtocol(templates.kimi_k2 ?? '')?.alternatives).toEqual([])
  })

  test('distinguishes protocols that write alike by how they show the tools', () => {
    const chatTemplate = `<available_tools>{{ tools }}</available_tools>${loop(`<tool_calls>[{"name": "{{ call.name }}"}]</tool_calls>`)}`
    expect(detectProtocol({ chatTemplate })?.protocol).toBe('apriel')
  })

  test('knows an older form by how its calls begin', () => {
    const chatTemplate = loop(`{{ '[TOOL_CALLS] [{"name": "' + call.name + '"}]' }}`)
    expect(detectProtocol({ chatTemplate })).toEqual({
      protocol: 'mistral_v3',
      by: 'chatTemplate',
      alternatives: [],
    })
  })

  test.for([
    '{% for message in messages %}{{ "<|im_start|>" + message.role + "\\n" + message.content + "<|im_end|>" }}{% endfor %}',
    '{{ bos_token }}{% for m in messages %}[INST] {{ m.content }} [/INST]{% endfor %}',
    'Answer in ```json\n{{ schema }}\n```.',
    '{{ name }}',
  ])('finds no protocol in a template without calls: %s', chatTemplate => {
    expect(detectProtocol({ chatTemplate })).toBeUndefined()
    expect(detectProtocol(chatTemplate)).toBeUndefined()
  })
})

describe('a protocol found by the answer of a model', () => {
  const natives = listProtocols().filter(
    name => !getProtocolInfo(name)?.family.startsWith('any model'),
  )

  test.for(natives)('in %s', name => {
    const protocol = getProtocol(name)
    const call = writeCall(protocol, paris)
    const calls = [paris, oslo].map(input => ({ toolCallId: 'x', toolName: 'get_weather', input }))
    const two = protocol.formatToolCalls?.(calls, { tools: [weatherTool] }) ?? call
    for (const text of [call, two]) {
      for (const tools of [undefined, [weatherTool]]) {
        const found = detectProtocol({ text, tools })
        expect(found?.by).toBe('text')
        expect([found?.protocol, ...(found?.alternatives ?? [])]).toContain(name)
      }
    }
    expect(detectProtocol(call)).toEqual(detectProtocol({ text: call }))
  })

  test.for(natives.filter(name => /^[<[\]`]/.test(writeCall(getProtocol(name), paris))))(
    'in %s, after text',
    name => {
      const found = detectProtocol({ text: `Let me look.\n${writeCall(getProtocol(name), paris)}` })
      expect([found?.protocol, ...(found?.alternatives ?? [])]).toContain(name)
    },
  )

  test.for([
    ['hermes', 'hermes', ['granite4', 'ernie45', 'reka_edge', 'exaone4']],
    ['cohere_command_r_plus', 'cohere_command_r_plus', []],
    ['apriel', 'apriel', []],
    ['gpt_oss_harmony', 'gpt_oss_harmony', []],
    ['deepseek_v3', 'deepseek_v3', []],
    ['functionary_v3_1', 'functionary_v3_1', []],
    ['phi4_mini', 'phi4_mini', ['firefunction_v2']],
  ] as const)('in %s exactly', ([name, protocol, alternatives]) => {
    const text = writeCall(getProtocol(name), paris)
    expect(detectProtocol({ text })).toEqual({ protocol, by: 'text', alternatives })
  })

  test('in a form that others read too, by its mark', () => {
    expect(
      detectProtocol({ text: '[TOOL_CALLS] [{"name": "f", "arguments": {"a": 1}}]' })?.protocol,
    ).toBe('mistral')
    expect(
      detectProtocol({ text: '<tool_call>[{"name": "f", "arguments": {"a": 1}}]' })?.protocol,
    ).toBe('hermes')
  })

  test.for([
    'Hello, how are you?',
    'The answer is 42.',
    '',
    ' \n ',
    'Write `<tool_call>` to call a tool, or [TOOL_CALLS].',
    '{"city": "Paris", "days": 3}',
    '[1, 2, 3]',
    '```json\n{"city": "Paris"}\n```',
    '```python\nprint("hello")\n```',
    'function add(a, b) { return a + b }',
    'add(1, 2)',
    'Action: sit down and wait.',
    '<div class="note">Hello</div>',
    'See [the docs](https://example.com).',
    '<think>I ponder.</think>It is clear.',
    'Dear {{ name }}, your order {% id %} is ready.',
    '<|im_end|>',
    'get_weather',
  ])('finds no protocol in prose: %j', text => {
    expect(detectProtocol({ text })).toBeUndefined()
    expect(detectProtocol(text)).toBeUndefined()
  })

  test('counts only the tools that are known, if any are', () => {
    const text = '[note(city="b")]'
    expect(detectProtocol({ text })?.protocol).toBe('pythonic')
    expect(detectProtocol({ text, tools: [weatherTool] })).toBeUndefined()
  })

  test('counts no call that cannot be read', () => {
    expect(
      detectProtocol({ text: '<tool_call>{"name": "x", "arguments": {"a": ]]??}}</tool_call>' }),
    ).toBeUndefined()
  })

  test('is not mistaken for a template because of braces', () => {
    const text = `[TOOL_CALLS]render[ARGS]{"text": "Dear {{ name }}"}`
    expect(detectProtocol(text)?.protocol).toBe('mistral')
    const bare = '{"name": "render", "parameters": {"text": "Dear {{ name }}"}}'
    expect(detectProtocol(bare)).toMatchObject({ protocol: 'llama3_json', by: 'text' })
  })
})

describe('several traces at once', () => {
  const text = writeCall(getProtocol('mistral'), paris)
  const chatTemplate = templates.kimi_k2

  test('the id counts before the template, and that before the text', () => {
    expect(detectProtocol({ modelId: 'glm-4.6', chatTemplate, text })?.by).toBe('modelId')
    expect(detectProtocol({ modelId: 'my-own', chatTemplate, text })).toMatchObject({
      protocol: 'kimi_k2',
      by: 'chatTemplate',
    })
    expect(detectProtocol({ modelId: 'my-own', chatTemplate: '{{ x }}', text })).toMatchObject({
      protocol: 'mistral',
      by: 'text',
    })
    expect(detectProtocol({})).toBeUndefined()
  })
})
