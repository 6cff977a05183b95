import { z } from 'zod'
import { defineTool } from '../define-tool.js'
import type { LiveTool } from '../task.js'

export interface FileWorld {
  readonly files: Map<string, string>
  readonly tools: readonly LiveTool[]
}

/**
 * A file system of text files. Paths begin with a slash; a directory exists as long as it contains a
 * file.
 */
export function createFileWorld(initial: Readonly<Record<string, string>>): FileWorld {
  const files: Files = new Map(Object.entries(initial))
  return { files, tools: [...textTools(files), ...fileTools(files)] }
}

/** Contents by path. */
type Files = Map<string, string>

const path = z.string().describe('Absolute path, such as /notes/today.txt')

function read(files: Files, path: string): string {
  const content = files.get(path)
  if (content === undefined) throw new Error(`There is no file ${path}.`)
  return content
}

function textTools(files: Files): LiveTool[] {
  return [
    defineTool({
      name: 'list_files',
      description: 'Lists the files in a directory and in all directories below it.',
      input: z.object({
        directory: z.string().describe('Absolute path of the directory; / for everything'),
      }),
      execute: ({ directory }) => {
        const prefix = directory.endsWith('/') ? directory : `${directory}/`
        return { paths: [...files.keys()].filter(each => each.startsWith(prefix)).sort() }
      },
    }),
    defineTool({
      name: 'read_file',
      description: 'Reads a whole text file.',
      input: z.object({ path }),
      execute: ({ path }) => ({ path, content: read(files, path) }),
    }),
    defineTool({
      name: 'write_file',
      description: 'Writes a whole text file. A file that is already there is replaced.',
      input: z.object({ path, content: z.string().describe('The whole text of the file') }),
      execute: ({ path, content }) => {
        files.set(path, content)
        return { path, chars: content.length }
      },
    }),
    defineTool({
      name: 'edit_file',
      description: 'Replaces pieces of a text file. Each piece must occur exactly once.',
      input: z.object({
        path,
        edits: z
          .array(
            z.object({
              find: z.string().min(1).describe('Text that is in the file exactly once'),
              replace: z.string().describe('What stands there afterwards'),
            }),
          )
          .min(1)
          .describe('Made in this order'),
      }),
      execute: ({ path, edits }) => {
        let content = read(files, path)
        for (const { find, replace } of edits) {
          const count = content.split(find).length - 1
          if (count !== 1)
            throw new Error(`${JSON.stringify(find)} is in ${path} ${count} times instead of once.`)
          content = content.replace(find, () => replace)
        }
        files.set(path, content)
        return { path, edits: edits.length }
      },
    }),
  ]
}

function fileTools(files: Files): LiveTool[] {
  return [
    defineTool({
      name: 'move_file',
      description: 'Moves or renames a file.',
      input: z.object({
        from: path,
        to: z.string().describe('The new absolute path, with the file name'),
      }),
      execute: ({ from, to }) => {
        const content = read(files, from)
        if (files.has(to)) throw new Error(`${to} is already there.`)
        files.delete(from)
        files.set(to, content)
        return { from, to }
      },
    }),
    defineTool({
      name: 'delete_file',
      description: 'Deletes a file for good.',
      input: z.object({ path }),
      execute: ({ path }) => {
        read(files, path)
        files.delete(path)
        return { deleted: path }
      },
    }),
    defineTool({
      name: 'search_files',
      description: 'Finds the lines that contain a text, in all files.',
      input: z.object({ text: z.string().min(1).describe('Looked for as it is; case matters') }),
      execute: ({ text }) => ({
        matches: [...files].flatMap(([path, content]) =>
          content
            .split('\n')
            .flatMap((line, i) => (line.includes(text) ? [{ path, line: i + 1, text: line }] : [])),
        ),
      }),
    }),
  ]
}
