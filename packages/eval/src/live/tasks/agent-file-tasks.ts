import { mentionsNumber } from '../answer.js'
import { isEqualJson } from '../json.js'
import type { Task } from '../task.js'
import { createFileWorld } from '../worlds/file-world.js'
import { defineAgent, listProblems } from './define-task.js'

const logs = {
  '/logs/api.log': 'GET /health 200\nGET /users 500\n',
  '/logs/db.log': 'connected\n',
  '/logs/keep.txt': 'Do not move me.\n',
  '/logs/web.log': 'GET / 200\n',
  '/archive/old.log': 'very old\n',
}
const api = `import { fetchUser } from './db.js'

export const show = async (id: string) => \`<b>\${await fetchUser(id)}</b>\`
`
const db = `export async function fetchUser(id: string) {
  return query("select * from users where id = '" + id + "'")
}
`
const test = `it('knows "Ann"', async () => expect(await fetchUser('1')).toBe("Ann"))
`
const config = `{
  "name": "relay",
  "port": 8080,
  "hosts": ["a.example", "b.example"],
  "limits": { "perMinute": 60, "burst": null }
}
`

/** Tasks on a file system. The final contents of the files are checked. */
export const agentFileTasks: readonly Task[] = [
  defineAgent({
    id: 'files-archive',
    category: 'files',
    prompt:
      'Move all files that end in .log from /logs to /archive; they keep their names. Then write /archive/INDEX.txt with the names of all .log files that are now in /archive (only names, no paths), sorted by alphabet, one on each line.',
    open: () => {
      const world = createFileWorld(logs)
      return {
        tools: world.tools,
        check: () => {
          const { '/logs/keep.txt': keep, ...rest } = logs
          const moved = Object.entries(rest).map(([path, content]) => [
            path.replace('/logs/', '/archive/'),
            content,
          ])
          const { '/archive/INDEX.txt': index = '', ...found } = Object.fromEntries(world.files)
          const names = index.trim().split(/\s*\n\s*/)
          return listProblems(
            [
              isEqualJson(found, { ...Object.fromEntries(moved), '/logs/keep.txt': keep }),
              `the files are now: ${Object.keys(found).join(', ')}`,
            ],
            [
              isEqualJson(names, ['api.log', 'db.log', 'old.log', 'web.log']),
              `/archive/INDEX.txt holds ${JSON.stringify(index)}`,
            ],
          )
        },
      }
    },
    steps: [
      [
        { name: 'list_files', args: { directory: '/logs' } },
        { name: 'list_files', args: { directory: '/archive' } },
      ],
      [
        { name: 'move_file', args: { from: '/logs/api.log', to: '/archive/api.log' } },
        { name: 'move_file', args: { from: '/logs/db.log', to: '/archive/db.log' } },
        { name: 'move_file', args: { from: '/logs/web.log', to: '/archive/web.log' } },
      ],
      [
        {
          name: 'write_file',
          args: { path: '/archive/INDEX.txt', content: 'api.log\ndb.log\nold.log\nweb.log\n' },
        },
      ],
    ],
    answer: 'I moved three log files and wrote the index of four.',
  }),
  defineAgent({
    id: 'files-rename-function',
    category: 'code',
    prompt:
      'The function fetchUser is to be called loadUser from now on. Find every place in the files under /src where it is used or defined and rename it there. Change nothing else.',
    open: () => {
      const world = createFileWorld({
        '/src/api.ts': api,
        '/src/db.ts': db,
        '/src/db.test.ts': test,
      })
      return {
        tools: world.tools,
        check: () =>
          Object.entries({ '/src/api.ts': api, '/src/db.ts': db, '/src/db.test.ts': test }).flatMap(
            ([path, before]) => {
              const wanted = before.replaceAll('fetchUser', 'loadUser')
              const found = world.files.get(path)
              return found?.trimEnd() === wanted.trimEnd()
                ? []
                : [`${path} is now ${JSON.stringify(found)}`]
            },
          ),
      }
    },
    steps: [
      [{ name: 'search_files', args: { text: 'fetchUser' } }],
      [
        { name: 'read_file', args: { path: '/src/api.ts' } },
        { name: 'read_file', args: { path: '/src/db.ts' } },
      ],
      [
        {
          name: 'edit_file',
          args: {
            path: '/src/api.ts',
            edits: [
              { find: 'import { fetchUser }', replace: 'import { loadUser }' },
              // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the code that is edited
              { find: '${await fetchUser(id)}', replace: '${await loadUser(id)}' },
            ],
          },
        },
        {
          name: 'write_file',
          args: { path: '/src/db.ts', content: db.replaceAll('fetchUser', 'loadUser') },
        },
        {
          name: 'edit_file',
          args: {
            path: '/src/db.test.ts',
            edits: [
              { find: "expect(await fetchUser('1'))", replace: "expect(await loadUser('1'))" },
            ],
          },
        },
      ],
      [{ name: 'search_files', args: { text: 'fetchUser' } }],
    ],
    answer: 'fetchUser is loadUser now, in three files.',
  }),
  defineAgent({
    id: 'files-config',
    category: 'nested',
    prompt:
      'Read /etc/relay.json. Write it again as valid JSON with these changes: the port is 9443, c.example is added to the end of the hosts, and limits.burst is ten times limits.perMinute. Then delete /etc/relay.json.bak, and tell me the burst.',
    open: () => {
      const world = createFileWorld({ '/etc/relay.json': config, '/etc/relay.json.bak': '{}' })
      return {
        tools: world.tools,
        check: ({ text }) => {
          const found = parse(world.files.get('/etc/relay.json'))
          const wanted = {
            name: 'relay',
            port: 9443,
            hosts: ['a.example', 'b.example', 'c.example'],
            limits: { perMinute: 60, burst: 600 },
          }
          return listProblems(
            [isEqualJson(found, wanted), `/etc/relay.json is now ${JSON.stringify(found)}`],
            [!world.files.has('/etc/relay.json.bak'), '/etc/relay.json.bak is still there'],
            [mentionsNumber(text, 600), 'the answer does not say 600'],
          )
        },
      }
    },
    steps: [
      [{ name: 'read_file', args: { path: '/etc/relay.json' } }],
      [
        {
          name: 'write_file',
          args: {
            path: '/etc/relay.json',
            content:
              '{\n  "name": "relay",\n  "port": 9443,\n  "hosts": ["a.example", "b.example", "c.example"],\n  "limits": { "perMinute": 60, "burst": 600 }\n}\n',
          },
        },
      ],
      [{ name: 'delete_file', args: { path: '/etc/relay.json.bak' } }],
    ],
    answer: 'Done. The burst is 600.',
  }),
]

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return text
  }
}
