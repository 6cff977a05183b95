import { writeFile } from 'node:fs/promises'
import { drawDemo } from './demo-picture.js'

// `npm run demo:svg` writes docs/demo.svg.
const path = new URL('../../../../docs/demo.svg', import.meta.url)
const picture = await drawDemo()
await writeFile(path, picture)
console.log(`docs/demo.svg: ${picture.length} characters`)
