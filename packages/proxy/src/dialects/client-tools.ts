import type { ClientToolKind, ShownTool } from './tool-map.js'

// Tools that an API knows by their type, without a schema, and that the client runs. The model sees
// functions with these schemas, whose arguments are the fields that the client expects.

type Schema = Readonly<Record<string, unknown>>

const text = (description: string): Schema => ({ type: 'string', description })
const integer = (description: string): Schema => ({ type: 'integer', description })
const oneOf = (values: readonly string[], description: string): Schema => ({
  type: 'string',
  enum: [...values],
  description,
})
const listOf = (items: Schema, description: string): Schema => ({
  type: 'array',
  items,
  description,
})

function shown(
  description: string,
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
): ShownTool {
  return {
    description,
    inputSchema: {
      type: 'object',
      properties: { ...properties },
      required: [...required],
      additionalProperties: false,
    },
  }
}

/** The tools of OpenAI's Responses that the client runs, by their type. */
export const responsesClientTools: Readonly<
  Record<'local_shell' | 'shell' | 'apply_patch' | 'tool_search', ShownTool>
> = {
  local_shell: shown(
    'Runs a command on the machine of the user, and returns its output.',
    {
      command: listOf({ type: 'string' }, 'The program and its arguments: ["ls", "-l"].'),
      working_directory: text('The folder to run it in.'),
      timeout_ms: integer('The time limit in milliseconds.'),
      env: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Environment variables to set.',
      },
    },
    ['command'],
  ),
  shell: shown(
    'Runs commands in the shell of the user, and returns their output.',
    {
      commands: listOf({ type: 'string' }, 'The command lines, one after the other.'),
      timeout_ms: integer('The time limit in milliseconds.'),
      max_output_length: integer('The longest output to return, in characters.'),
    },
    ['commands'],
  ),
  apply_patch: shown(
    'Creates, changes or deletes one file.',
    {
      type: oneOf(['create_file', 'update_file', 'delete_file'], 'What to do with the file.'),
      path: text('The path of the file.'),
      diff: text(
        'The change as a V4A diff: lines that begin with a space, - or +, after an @@ line. For create_file all lines begin with +. Left out for delete_file.',
      ),
    },
    ['type', 'path'],
  ),
  tool_search: shown(
    'Searches for more tools. Those that are found can be called afterwards.',
    { query: text('What the tool should do.'), limit: integer('The number of tools to return.') },
    ['query'],
  ),
}

/** A tool of Anthropic's API: the beginning of its type, its name, and how the model sees it. */
interface AnthropicClientTool {
  /** The type without its date: `bash_20250124` is `bash`. */
  readonly type: string
  readonly name: string
  /** `settings`: the other fields of the tool, such as the size of the screen. */
  readonly shown: (type: string, settings: Readonly<Record<string, unknown>>) => ShownTool
}

const editCommands = {
  path: text('The absolute path of the file or folder.'),
  file_text: text('For create: the content of the file.'),
  old_str: text('For str_replace: the text to replace, which must occur exactly once.'),
  new_str: text(
    'For str_replace: the text to put in its place. For insert, where it is used: the text.',
  ),
  insert_line: integer(
    'For insert: the number of the line after which the text goes; 0 for the start.',
  ),
  insert_text: text('For insert: the text.'),
  view_range: listOf({ type: 'integer' }, 'For view: the first and the last line; -1 is the end.'),
}

/** `text_editor_20241022` and `text_editor_20250124` are named otherwise, and can undo. */
const isOldEditor = (type: string) =>
  type === 'text_editor_20241022' || type === 'text_editor_20250124'

function textEditor(type: string): ShownTool {
  const { insert_text, ...older } = editCommands
  const commands = ['view', 'create', 'str_replace', 'insert']
  return shown(
    'Views, creates and edits text files.',
    isOldEditor(type)
      ? { command: oneOf([...commands, 'undo_edit'], 'What to do.'), ...older }
      : { command: oneOf(commands, 'What to do.'), ...older, insert_text },
    ['command', 'path'],
  )
}

function memory(): ShownTool {
  const commands = ['view', 'create', 'str_replace', 'insert', 'delete', 'rename']
  return shown(
    'Keeps notes in files under /memories, which remain for later conversations.',
    {
      command: oneOf(commands, 'What to do.'),
      ...editCommands,
      path: text('The path under /memories. For all commands but rename.'),
      old_path: text('For rename: the path.'),
      new_path: text('For rename: the new path.'),
    },
    ['command'],
  )
}

const basicActions = [
  ...['key', 'type', 'mouse_move', 'left_click', 'left_click_drag', 'right_click'],
  ...['middle_click', 'double_click', 'screenshot', 'cursor_position'],
]
const laterActions = [
  ...['left_mouse_down', 'left_mouse_up', 'scroll', 'hold_key', 'wait', 'triple_click'],
]

function computer(type: string, settings: Readonly<Record<string, unknown>>): ShownTool {
  const { display_width_px: width, display_height_px: height } = settings
  const point = (description: string) => listOf({ type: 'integer' }, description)
  const later = {
    scroll_direction: oneOf(['up', 'down', 'left', 'right'], 'For scroll.'),
    scroll_amount: integer('For scroll: the number of clicks of the wheel.'),
    duration: { type: 'number', description: 'For hold_key and wait: seconds.' },
  }
  const hasLater = type !== 'computer_20241022'
  const hasZoom = hasLater && type !== 'computer_20250124'
  const actions = [...basicActions, ...(hasLater ? laterActions : []), ...(hasZoom ? ['zoom'] : [])]
  return shown(
    `Uses the mouse and the keyboard of a computer, and takes screenshots. The screen has ${width} x ${height} pixels.`,
    {
      action: oneOf(actions, 'What to do.'),
      text: text('For type: the text. For key: the keys, such as ctrl+s.'),
      coordinate: point('The place [x, y] on the screen, where the action has one.'),
      start_coordinate: point('For left_click_drag: where it starts.'),
      ...(hasLater ? later : {}),
      ...(hasZoom ? { region: point('For zoom: [x0, y0, x1, y1].') } : {}),
    },
    ['action'],
  )
}

const anthropicClientTools: readonly AnthropicClientTool[] = [
  {
    type: 'bash',
    name: 'bash',
    shown: () =>
      shown(
        'Runs a command in a bash session that stays open, and returns its output.',
        {
          command: text('The command. Required unless restart is true.'),
          restart: { type: 'boolean', description: 'True starts a new session.' },
        },
        [],
      ),
  },
  { type: 'text_editor', name: 'str_replace_based_edit_tool', shown: textEditor },
  { type: 'memory', name: 'memory', shown: memory },
  { type: 'computer', name: 'computer', shown: computer },
]

/** Returns how the model sees a tool of Anthropic's API, and the tool's usual name. */
export function anthropicClientTool(
  type: string,
  settings: Readonly<Record<string, unknown>>,
): { readonly name: string; readonly shown: ShownTool } | undefined {
  // `bash_20250124`, but not `bash_code_execution_20250825`.
  const family = /^(.*)_\d{8}$/.exec(type)?.[1]
  const found = anthropicClientTools.find(tool => tool.type === family)
  if (!found) return undefined
  const name = isOldEditor(type) ? 'str_replace_editor' : found.name
  return { name, shown: found.shown(type, settings) }
}

/** True for a type of `responsesClientTools`. */
export function isResponsesClientTool(
  type: string,
): type is keyof typeof responsesClientTools & ClientToolKind {
  return Object.hasOwn(responsesClientTools, type)
}
