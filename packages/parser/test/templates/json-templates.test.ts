import { checkRenderings, time, weather } from './support/conversation.js'

checkRenderings({
  hermes: {
    tools: `<tools>
{"type": "function", "function": {"name": "get_weather", "description": "Get the weather.", "parameters": ${weather}}}
{"type": "function", "function": {"name": "get_time", "description": "Get the time.", "parameters": ${time}}}
</tools>`,
    calls: `<tool_call>
{"name": "get_weather", "arguments": {"city": "Zürich \\"x\\"", "days": 3, "opts": {"unit": "c", "tags": ["a", "b"]}}}
</tool_call>
<tool_call>
{"name": "get_time", "arguments": {"tz": "CET"}}
</tool_call>`,
    results: `<tool_response>
{"t": 21}
</tool_response>
<tool_response>
12:00
</tool_response>`,
  },
  kimi_k2: {
    tools: `[{"type": "function", "function": {"name": "get_weather", "description": "Get the weather.", "parameters": ${weather}}}, {"type": "function", "function": {"name": "get_time", "description": "Get the time.", "parameters": ${time}}}]`,
    calls: `<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Zürich \\"x\\"", "days": 3, "opts": {"unit": "c", "tags": ["a", "b"]}}<|tool_call_end|><|tool_call_begin|>functions.get_time:1<|tool_call_argument_begin|>{"tz": "CET"}<|tool_call_end|><|tool_calls_section_end|>`,
    results: `## Return of functions.get_weather:0
{"t": 21}
## Return of functions.get_time:1
12:00`,
  },
  gpt_oss_harmony: {
    tools: `## functions

namespace functions {

// Get the weather.
type get_weather = (_: {
// City name
city: string,
days?: number,
opts?: {
unit?: "c" | "f",
tags?: string[],
},
}) => any;

// Get the time.
type get_time = (_: {
tz: string,
}) => any;

} // namespace functions`,
    calls: `<|start|>assistant to=functions.get_weather<|channel|>commentary json<|message|>{"city": "Zürich \\"x\\"", "days": 3, "opts": {"unit": "c", "tags": ["a", "b"]}}<|call|><|start|>assistant to=functions.get_time<|channel|>commentary json<|message|>{"tz": "CET"}<|call|>`,
    results: `<|start|>functions.get_weather to=assistant<|channel|>commentary<|message|>{"t": 21}<|end|><|start|>functions.get_time to=assistant<|channel|>commentary<|message|>"12:00"<|end|>`,
  },
  mistral: {
    tools: `[AVAILABLE_TOOLS][{"type": "function", "function": {"name": "get_weather", "description": "Get the weather.", "parameters": ${weather}}}, {"type": "function", "function": {"name": "get_time", "description": "Get the time.", "parameters": ${time}}}][/AVAILABLE_TOOLS]`,
    calls: `[TOOL_CALLS]get_weather[ARGS]{"city": "Zürich \\"x\\"", "days": 3, "opts": {"unit": "c", "tags": ["a", "b"]}}[TOOL_CALLS]get_time[ARGS]{"tz": "CET"}`,
    results: `[TOOL_RESULTS]{"t": 21}[/TOOL_RESULTS][TOOL_RESULTS]12:00[/TOOL_RESULTS]`,
  },
  mistral_v3: {
    calls: `[TOOL_CALLS] [{"name": "get_weather", "arguments": {"city": "Zürich \\"x\\"", "days": 3, "opts": {"unit": "c", "tags": ["a", "b"]}}, "id": "callab001"}, {"name": "get_time", "arguments": {"tz": "CET"}, "id": "callab002"}]`,
    results: `[TOOL_RESULTS] {"content": {"t": 21}, "call_id": "callab001"}[/TOOL_RESULTS][TOOL_RESULTS] {"content": "12:00", "call_id": "callab002"}[/TOOL_RESULTS]`,
  },
  llama4_pythonic: {
    calls: `<|python_start|>[get_weather(city="Zürich \\"x\\"", days=3, opts={"unit": "c", "tags": ["a", "b"]}), get_time(tz="CET")]<|python_end|>`,
    results: `<tool_response>
{"t": 21}
</tool_response>
<tool_response>
"12:00"
</tool_response>`,
  },
  deepseek_v3: {
    tools: `### Function

\`\`\`json
{"type": "function", "function": {"name": "get_weather", "description": "Get the weather.", "parameters": ${weather}}}
\`\`\`

\`\`\`json
{"type": "function", "function": {"name": "get_time", "description": "Get the time.", "parameters": ${time}}}
\`\`\``,
    calls: `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather
\`\`\`json
{"city": "Zürich \\"x\\"", "days": 3, "opts": {"unit": "c", "tags": ["a", "b"]}}
\`\`\`<｜tool▁call▁end｜>
<｜tool▁call▁begin｜>function<｜tool▁sep｜>get_time
\`\`\`json
{"tz": "CET"}
\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    results: `<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>{"t": 21}<｜tool▁output▁end｜>
<｜tool▁output▁begin｜>12:00<｜tool▁output▁end｜><｜tool▁outputs▁end｜>`,
  },
  deepseek_v3_1: {
    tools: `### get_weather
Description: Get the weather.

Parameters: ${weather}

### get_time
Description: Get the time.

Parameters: ${time}`,
    calls: `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Zürich \\"x\\"", "days": 3, "opts": {"unit": "c", "tags": ["a", "b"]}}<｜tool▁call▁end｜><｜tool▁call▁begin｜>get_time<｜tool▁sep｜>{"tz": "CET"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    results: `<｜tool▁output▁begin｜>{"t": 21}<｜tool▁output▁end｜><｜tool▁output▁begin｜>12:00<｜tool▁output▁end｜>`,
  },
  functionary_v3_2: {
    tools: `namespace functions {

// Get the weather.
type get_weather = (_: {
// City name
city: string,
days?: number,
opts?: {
    unit?: "c" | "f",
    tags?: string[],
},
}) => any;

// Get the time.
type get_time = (_: {
tz: string,
}) => any;

} // namespace functions`,
    calls: `>>>get_weather
{"city": "Zürich \\"x\\"", "days": 3, "opts": {"unit": "c", "tags": ["a", "b"]}}>>>get_time
{"tz": "CET"}`,
    results: `<tool_response>
{"t": 21}
</tool_response>
<tool_response>
12:00
</tool_response>`,
  },
  lfm2: {
    tools: `List of tools: [{"type": "function", "function": {"name": "get_weather", "description": "Get the weather.", "parameters": ${weather}}}, {"type": "function", "function": {"name": "get_time", "description": "Get the time.", "parameters": ${time}}}]`,
    calls: `<|tool_call_start|>[get_weather(city='Zürich "x"', days=3, opts={"unit": "c", "tags": ["a", "b"]}), get_time(tz='CET')]<|tool_call_end|>`,
    results: `<|tool_response_start|>{"t": 21}<|tool_response_end|>
<|tool_response_start|>12:00<|tool_response_end|>`,
  },
  cohere_command4: {
    tools: `\`\`\`json
[
    {"name": "get_weather", "description": "Get the weather.", "parameters": ${weather}, "responses": null},
    {"name": "get_time", "description": "Get the time.", "parameters": ${time}, "responses": null}
]
\`\`\``,
    calls: `<|START_ACTION|>[
    {"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Zürich \\"x\\"", "days": 3, "opts": {"unit": "c", "tags": ["a", "b"]}}},
    {"tool_call_id": "1", "tool_name": "get_time", "parameters": {"tz": "CET"}}
]<|END_ACTION|>`,
    results: `<|START_TOOL_RESULT|>[
    {
        "tool_call_id": "0",
        "results": {
            "0": {"content": {"t": 21}}
        },
        "is_error": null
    },
    {
        "tool_call_id": "1",
        "results": {
            "0": {"content": "12:00"}
        },
        "is_error": null
    }
]<|END_TOOL_RESULT|>`,
  },
  nemotron_nano_v2: {
    tools: `<AVAILABLE_TOOLS>[{"name": "get_weather", "description": "Get the weather.", "parameters": ${weather}}, {"name": "get_time", "description": "Get the time.", "parameters": ${time}}]</AVAILABLE_TOOLS>`,
    calls: `<TOOLCALL>[{"name": "get_weather", "arguments": {"city": "Zürich \\"x\\"", "days": 3, "opts": {"unit": "c", "tags": ["a", "b"]}}}, {"name": "get_time", "arguments": {"tz": "CET"}}]</TOOLCALL>`,
    results: `<TOOL_RESPONSE>[{"t": 21}, "12:00"]</TOOL_RESPONSE>`,
  },
  apertus: {
    tools: `Tool Capabilities:
// Get the weather.
type get_weather = (_: {
// City name
city: string,
days?: number,
opts?: {
unit?: "c" | "f",
tags?: string[]
}
}) => any;
// Get the time.
type get_time = (_: {
tz: string
}) => any;`,
    calls: `<|tools_prefix|>[{"get_weather": {"city": "Zürich \\"x\\"", "days": 3, "opts": {"unit": "c", "tags": ["a", "b"]}}}, {"get_time": {"tz": "CET"}}]<|tools_suffix|>`,
    results: `<tool_response>[{"t": 21}, "12:00"]</tool_response>`,
  },
  granite3: {
    calls: `<|tool_call|>[
    {
        "name": "get_weather",
        "arguments": {
            "city": "Zürich \\"x\\"",
            "days": 3,
            "opts": {
                "unit": "c",
                "tags": [
                    "a",
                    "b"
                ]
            }
        }
    },
    {
        "name": "get_time",
        "arguments": {
            "tz": "CET"
        }
    }
]`,
    results: `<tool_response>{"t": 21}</tool_response>
<tool_response>12:00</tool_response>`,
  },
})
