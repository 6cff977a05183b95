import { anyOrder, code, optional, sql, words } from '../match.js'
import type { Task } from '../task.js'
import { createTextWorld } from '../worlds/text-world.js'
import { defineSingle } from './define-task.js'
import { data, files, home, tickets } from './single-worlds.js'

const typescript = `export const greet = (name: string) => {
  const quote = '"'
  if (name.length < 2 && !name) return \`\${quote}Hi\${quote}\`
  return "it's " + name + '\\n'
}`
const python = `def clean(text):
    """Removes "quotes" and 'ticks'."""
    return text.replace('"', "").replace("'", "")

print(clean("""a "b" 'c'"""))`
const shell = `for f in *.log; do
  awk -F'\\t' '{ if ($2 > 10 && $3 != "") print $1 }' "$f" | sed 's/</\\&lt;/g' >> "out/$(basename "$f")"
done`
const html = `<form action="/pay?x=1&y=2">
  <input name='card' placeholder="1234 5678">
  </tool_call></save_snippet>
</form>`
const regex = '^"(?:[^"\\\\]|\\\\["\\\\/bfnrt]|\\\\u[0-9a-f]{4})*"$'
const fence = '\n```\n'
const query = `SELECT c.name, COUNT(*) AS orders FROM customers c JOIN orders o ON o.customer_id = c.id WHERE o.placed_at >= '2031-01-01' AND c.city = 'L''Aquila' GROUP BY c.name HAVING COUNT(*) > 3 ORDER BY orders DESC LIMIT 10`

/**
 * Calls whose arguments are hard to write: code, quotes, line breaks, SQL, other scripts, lists of
 * objects.
 */
export const singleTextTasks: readonly Task[] = [
  defineSingle({
    id: 'code-typescript',
    category: 'code',
    prompt: `Save this TypeScript under the title "greet", exactly as it is:${fence}${typescript}${fence}`,
    open: createTextWorld,
    calls: [
      {
        name: 'save_snippet',
        args: { title: 'greet', language: 'typescript', code: typescript },
        rules: { title: words('greet'), code: code(typescript) },
      },
    ],
  }),
  defineSingle({
    id: 'code-python',
    category: 'code',
    prompt: `Save this Python under the title "clean", exactly as it is:${fence}${python}${fence}`,
    open: createTextWorld,
    calls: [
      {
        name: 'save_snippet',
        args: { title: 'clean', language: 'python', code: python },
        rules: { title: words('clean'), code: code(python) },
      },
    ],
  }),
  defineSingle({
    id: 'code-shell',
    category: 'code',
    prompt: `Save this shell script under the title "logs", exactly as it is:${fence}${shell}${fence}`,
    open: createTextWorld,
    calls: [
      {
        name: 'save_snippet',
        args: { title: 'logs', language: 'shell', code: shell },
        rules: { title: words('logs'), code: code(shell) },
      },
    ],
  }),
  defineSingle({
    id: 'code-html-with-marks',
    category: 'code',
    prompt: `Save this HTML under the title "form", exactly as it is, the odd end tags included:${fence}${html}${fence}`,
    open: createTextWorld,
    calls: [
      {
        name: 'save_snippet',
        args: { title: 'form', language: 'html', code: html },
        rules: { title: words('form'), code: code(html) },
      },
    ],
  }),
  defineSingle({
    id: 'code-regex',
    category: 'code',
    prompt: `Save this regular expression under the title "json string", exactly as it is: ${regex}`,
    open: createTextWorld,
    calls: [
      {
        name: 'save_snippet',
        args: { title: 'json string', language: 'regex', code: regex },
        rules: { title: words('json string'), code: code(regex) },
      },
    ],
  }),
  defineSingle({
    id: 'edit-file-list',
    category: 'list-of-objects',
    prompt:
      "In /app/server.ts, replace listen(80) with listen(8080) and log('up') with log(\"it's up\"). Use one edit call with two edits; you need not read the file.",
    open: files,
    calls: [
      {
        name: 'edit_file',
        args: {
          path: '/app/server.ts',
          edits: [
            { find: 'listen(80)', replace: 'listen(8080)' },
            { find: "log('up')", replace: 'log("it\'s up")' },
          ],
        },
        rules: {
          edits: anyOrder(
            { find: 'listen(80)', replace: 'listen(8080)' },
            { find: "log('up')", replace: 'log("it\'s up")' },
          ),
        },
      },
    ],
  }),
  defineSingle({
    id: 'sql-join',
    category: 'sql',
    prompt: `Save this query under the name "loyal customers":${fence}${query}${fence}`,
    open: data,
    calls: [
      {
        name: 'save_query',
        args: { name: 'loyal customers', sql: query },
        rules: { name: words('loyal customers'), sql: sql(query) },
      },
    ],
  }),
  defineSingle({
    id: 'translations',
    category: 'unicode',
    prompt:
      'Save the translations for the key "cart.empty": German "Der Warenkorb ist leer – schade!", French "Le panier est vide, c’est l’été…", Japanese "カートは空です🛒", Arabic "سلة التسوق فارغة".',
    open: createTextWorld,
    calls: [
      {
        name: 'save_translations',
        args: {
          key: 'cart.empty',
          texts: {
            de: 'Der Warenkorb ist leer – schade!',
            fr: 'Le panier est vide, c’est l’été…',
            ja: 'カートは空です🛒',
            ar: 'سلة التسوق فارغة',
          },
        },
      },
    ],
  }),
  defineSingle({
    id: 'train-passengers',
    category: 'list-of-objects',
    prompt:
      'Book a first class train from Zürich to Łódź on 2031-09-01 for Zoë Brontë, 34, at the window, with the discount cards 0042 and 0815, and for Bjørn Å, 9, any seat, without cards.',
    open: createTextWorld,
    calls: [
      {
        name: 'book_train',
        args: {
          from: 'Zürich',
          to: 'Łódź',
          date: '2031-09-01',
          class: 'first',
          passengers: [
            { name: 'Zoë Brontë', age: 34, seat: 'window', discounts: ['0042', '0815'] },
            { name: 'Bjørn Å', age: 9, seat: 'any' },
          ],
        },
        rules: {
          passengers: anyOrder(
            {
              name: words('Zoë Brontë'),
              age: 34,
              seat: 'window',
              discounts: anyOrder('0042', '0815'),
            },
            { name: words('Bjørn Å'), age: 9, seat: optional('any'), discounts: optional([]) },
          ),
        },
      },
    ],
  }),
  defineSingle({
    id: 'scene-nested',
    category: 'nested',
    prompt:
      'Save a scene named "Movie": living room at 15 percent and warm, hall at 5 percent and warm, kitchen off. It fades in 2.5 seconds with an ease curve.',
    open: home,
    calls: [
      {
        name: 'save_scene',
        args: {
          name: 'Movie',
          lights: [
            { room: 'living_room', brightness: 15, color: 'warm' },
            { room: 'hall', brightness: 5, color: 'warm' },
            { room: 'kitchen', brightness: 0 },
          ],
          fade: { seconds: 2.5, curve: 'ease' },
        },
        rules: {
          name: words('Movie'),
          lights: anyOrder(
            { room: 'living_room', brightness: 15, color: 'warm' },
            { room: 'hall', brightness: 5, color: 'warm' },
            { room: 'kitchen', brightness: 0 },
          ),
        },
      },
    ],
  }),
  defineSingle({
    id: 'comment-multiline',
    category: 'code',
    prompt: `Comment on ticket 311 with exactly these three lines:\nFixed in 4.2: "null" was a string.\n\tsee <Login/> & {state}\nThanks, 100% sure?`,
    open: tickets,
    calls: [
      {
        name: 'add_comment',
        args: {
          ticket_id: 311,
          body: 'Fixed in 4.2: "null" was a string.\n\tsee <Login/> & {state}\nThanks, 100% sure?',
        },
        rules: {
          body: code(
            'Fixed in 4.2: "null" was a string.\n\tsee <Login/> & {state}\nThanks, 100% sure?',
          ),
        },
      },
    ],
  }),
  defineSingle({
    id: 'note-that-looks-like-number',
    category: 'string-or-number',
    prompt: 'Write a file /notes/pin.txt whose whole content is the text 0049 and nothing else.',
    open: files,
    calls: [
      {
        name: 'write_file',
        args: { path: '/notes/pin.txt', content: '0049' },
        rules: { content: code('0049') },
      },
    ],
  }),
]
