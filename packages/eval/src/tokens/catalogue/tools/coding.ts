import { flag, integer, list, object, record, text, tool } from '../schema.js'

/** The tools of a coding agent. */
export const codingTools = [
  tool(
    'get_workspace_state',
    'Returns the current branch, the changed files and the open problems of the workspace.',
    object({}),
  ),
  tool(
    'read_file',
    'Reads a file of the workspace. Lines are numbered from 1.',
    object(
      { path: text('Path relative to the workspace root.') },
      {
        start_line: integer('First line to read.'),
        end_line: integer('Last line to read, inclusive.'),
      },
    ),
  ),
  tool(
    'write_file',
    'Writes a file, and replaces it if it exists. Missing folders are created.',
    object({
      path: text('Path relative to the workspace root.'),
      content: text('The whole content of the file, exactly as it is to be stored.'),
    }),
  ),
  tool(
    'edit_file',
    'Replaces passages of a file. Each passage must occur exactly once unless replace_all is set.',
    object({
      path: text('Path relative to the workspace root.'),
      edits: list(
        object(
          {
            old_text: text('The passage as it stands in the file.'),
            new_text: text('What comes in its place.'),
          },
          { replace_all: flag('Replace every occurrence.') },
        ),
        'The replacements, in the order in which they are made.',
      ),
    }),
  ),
  tool(
    'search_code',
    'Searches the workspace with a regular expression and returns the matching lines.',
    object(
      { pattern: text('Regular expression in JavaScript syntax.') },
      {
        include: list(text(), 'Globs of the files to search. All files if left out.'),
        case_sensitive: flag('Default: true.'),
        max_results: integer('Default: 50.'),
        context_lines: integer('Lines to show around each match. Default: 0.'),
      },
    ),
  ),
  tool(
    'run_command',
    'Runs a shell command in the workspace and returns its output and exit code.',
    object(
      { command: text('The command line, for bash.') },
      {
        cwd: text('Working directory, relative to the workspace root.'),
        timeout_seconds: integer('Default: 120.'),
        env: record(text(), 'Environment variables to add.'),
      },
    ),
  ),
]
