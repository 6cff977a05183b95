import { checkRenderings, time, weather } from './support/conversation.js'

checkRenderings({
  qwen3_coder: {
    tools: `<tools>
<function>
<name>get_weather</name>
<description>Get the weather.</description>
<parameters>
<parameter>
<name>city</name>
<type>string</type>
<description>City name</description>
</parameter>
<parameter>
<name>days</name>
<type>integer</type>
</parameter>
<parameter>
<name>opts</name>
<type>object</type>
<properties>{"unit": {"type": "string", "enum": ["c", "f"]}, "tags": {"type": "array", "items": {"type": "string"}}}</properties>
</parameter>
<required>["city"]</required>
</parameters>
</function>
<function>
<name>get_time</name>
<description>Get the time.</description>
<parameters>
<parameter>
<name>tz</name>
<type>string</type>
</parameter>
<required>["tz"]</required>
</parameters>
</function>
</tools>`,
    calls: `<tool_call>
<function=get_weather>
<parameter=city>
Zürich "x"
</parameter>
<parameter=days>
3
</parameter>
<parameter=opts>
{"unit": "c", "tags": ["a", "b"]}
</parameter>
</function>
</tool_call>
<tool_call>
<function=get_time>
<parameter=tz>
CET
</parameter>
</function>
</tool_call>`,
    results: `<tool_response>
{"t": 21}
</tool_response>
<tool_response>
12:00
</tool_response>`,
  },
  qwen3_5: {
    tools: `<tools>
{"type": "function", "function": {"name": "get_weather", "description": "Get the weather.", "parameters": ${weather}}}
{"type": "function", "function": {"name": "get_time", "description": "Get the time.", "parameters": ${time}}}
</tools>`,
    calls: `<tool_call>
<function=get_weather>
<parameter=city>
Zürich "x"
</parameter>
<parameter=days>
3
</parameter>
<parameter=opts>
{"unit": "c", "tags": ["a", "b"]}
</parameter>
</function>
</tool_call>
<tool_call>
<function=get_time>
<parameter=tz>
CET
</parameter>
</function>
</tool_call>`,
    results: `<tool_response>
{"t": 21}
</tool_response>
<tool_response>
12:00
</tool_response>`,
  },
  glm_4_5: {
    tools: `<tools>
{"type": "function", "function": {"name": "get_weather", "description": "Get the weather.", "parameters": ${weather}}}
{"type": "function", "function": {"name": "get_time", "description": "Get the time.", "parameters": ${time}}}
</tools>`,
    calls: `<tool_call>get_weather
<arg_key>city</arg_key>
<arg_value>Zürich "x"</arg_value>
<arg_key>days</arg_key>
<arg_value>3</arg_value>
<arg_key>opts</arg_key>
<arg_value>{"unit": "c", "tags": ["a", "b"]}</arg_value>
</tool_call>
<tool_call>get_time
<arg_key>tz</arg_key>
<arg_value>CET</arg_value>
</tool_call>`,
    results: `<tool_response>
{"t": 21}
</tool_response>
<tool_response>
12:00
</tool_response>`,
  },
  glm_4_7: {
    tools: `<tools>
{"type": "function", "function": {"name": "get_weather", "description": "Get the weather.", "parameters": ${weather}}}
{"type": "function", "function": {"name": "get_time", "description": "Get the time.", "parameters": ${time}}}
</tools>`,
    calls: `<tool_call>get_weather<arg_key>city</arg_key><arg_value>Zürich "x"</arg_value><arg_key>days</arg_key><arg_value>3</arg_value><arg_key>opts</arg_key><arg_value>{"unit": "c", "tags": ["a", "b"]}</arg_value></tool_call><tool_call>get_time<arg_key>tz</arg_key><arg_value>CET</arg_value></tool_call>`,
    results: `<tool_response>{"t": 21}</tool_response><tool_response>12:00</tool_response>`,
  },
  deepseek_v3_2_dsml: {
    tools: `<functions>
{"name": "get_weather", "description": "Get the weather.", "parameters": ${weather}}
{"name": "get_time", "description": "Get the time.", "parameters": ${time}}
</functions>`,
    calls: `<｜DSML｜function_calls>
<｜DSML｜invoke name="get_weather">
<｜DSML｜parameter name="city" string="true">Zürich "x"</｜DSML｜parameter>
<｜DSML｜parameter name="days" string="false">3</｜DSML｜parameter>
<｜DSML｜parameter name="opts" string="false">{"unit": "c", "tags": ["a", "b"]}</｜DSML｜parameter>
</｜DSML｜invoke>
<｜DSML｜invoke name="get_time">
<｜DSML｜parameter name="tz" string="true">CET</｜DSML｜parameter>
</｜DSML｜invoke>
</｜DSML｜function_calls>`,
    results: `<function_results>
<result>{"t": 21}</result>
<result>12:00</result>
</function_results>`,
  },
  deepseek_v4_dsml: {
    tools: `### Available Tool Schemas

{"name": "get_weather", "description": "Get the weather.", "parameters": ${weather}}
{"name": "get_time", "description": "Get the time.", "parameters": ${time}}`,
    calls: `<｜DSML｜tool_calls>
<｜DSML｜invoke name="get_weather">
<｜DSML｜parameter name="city" string="true">Zürich "x"</｜DSML｜parameter>
<｜DSML｜parameter name="days" string="false">3</｜DSML｜parameter>
<｜DSML｜parameter name="opts" string="false">{"unit": "c", "tags": ["a", "b"]}</｜DSML｜parameter>
</｜DSML｜invoke>
<｜DSML｜invoke name="get_time">
<｜DSML｜parameter name="tz" string="true">CET</｜DSML｜parameter>
</｜DSML｜invoke>
</｜DSML｜tool_calls>`,
    results: `<tool_result>{"t": 21}</tool_result>

<tool_result>12:00</tool_result>`,
  },
  minimax_m2: {
    tools: `<tools>
<tool>{"name": "get_weather", "description": "Get the weather.", "parameters": ${weather}}</tool>
<tool>{"name": "get_time", "description": "Get the time.", "parameters": ${time}}</tool>
</tools>`,
    calls: `<minimax:tool_call>
<invoke name="get_weather">
<parameter name="city">Zürich "x"</parameter>
<parameter name="days">3</parameter>
<parameter name="opts">{"unit": "c", "tags": ["a", "b"]}</parameter>
</invoke>
<invoke name="get_time">
<parameter name="tz">CET</parameter>
</invoke>
</minimax:tool_call>`,
    results: `<response>{"t": 21}</response>
<response>12:00</response>`,
  },
  seed_oss: {
    tools: `Function:
def get_weather(city: str,days: int,opts: Any):
    """
    Get the weather.

    Args:
    - city (str) [必填]: City name
    - days (int) [选填]: 
    - opts (Any) [选填]: {"type": "object", "properties": {"unit": {"type": "string", "enum": ["c", "f"]}, "tags": {"type": "array", "items": {"type": "string"}}}}

    """

Function:
def get_time(tz: str):
    """
    Get the time.

    Args:
    - tz (str) [必填]: 

    """`,
    calls: `<seed:tool_call>
<function=get_weather>
<parameter=city>Zürich "x"</parameter>
<parameter=days>3</parameter>
<parameter=opts>{"unit": "c", "tags": ["a", "b"]}</parameter>
</function>
</seed:tool_call>
<seed:tool_call>
<function=get_time>
<parameter=tz>CET</parameter>
</function>
</seed:tool_call>`,
    results: `<tool_response>
{"t": 21}
</tool_response>
<tool_response>
12:00
</tool_response>`,
  },
  hunyuan_v3: {
    tools: `<tools>
{"type": "function", "function": {"name": "get_weather", "description": "Get the weather.", "parameters": ${weather}}}
{"type": "function", "function": {"name": "get_time", "description": "Get the time.", "parameters": ${time}}}
</tools>`,
    calls: `<tool_calls:opensource>
<tool_call:opensource>get_weather<tool_sep:opensource>
<arg_key:opensource>city</arg_key:opensource>
<arg_value:opensource>Zürich "x"</arg_value:opensource>
<arg_key:opensource>days</arg_key:opensource>
<arg_value:opensource>3</arg_value:opensource>
<arg_key:opensource>opts</arg_key:opensource>
<arg_value:opensource>{"unit": "c", "tags": ["a", "b"]}</arg_value:opensource>
</tool_call:opensource>
<tool_call:opensource>get_time<tool_sep:opensource>
<arg_key:opensource>tz</arg_key:opensource>
<arg_value:opensource>CET</arg_value:opensource>
</tool_call:opensource>
</tool_calls:opensource>`,
    results: `<tool_responses:opensource>
<tool_response:opensource>
{"t": 21}
</tool_response:opensource>
<tool_response:opensource>
12:00
</tool_response:opensource>
</tool_responses:opensource>`,
  },
})
