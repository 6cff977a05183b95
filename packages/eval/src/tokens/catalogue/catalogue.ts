import type { Catalogue } from './case.js'
import { codeCases } from './cases/code.js'
import { flatCases } from './cases/flat.js'
import { listCases } from './cases/lists.js'
import { nestedCases } from './cases/nested.js'
import { proseCases } from './cases/prose.js'
import { codingTools } from './tools/coding.js'
import { dataTools } from './tools/data.js'
import { livingTools } from './tools/living.js'
import { officeTools } from './tools/office.js'

/** The project's own tools and calls, from flat to nested, from one word to a file of code. */
export const catalogue: Catalogue = {
  tools: [...codingTools, ...dataTools, ...officeTools, ...livingTools],
  cases: [...flatCases, ...listCases, ...nestedCases, ...proseCases, ...codeCases],
}
