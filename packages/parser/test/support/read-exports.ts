import { fileURLToPath } from 'node:url'
import ts from 'typescript'

interface ExportedName {
  /** An editor strikes the name through. */
  readonly isDeprecated: boolean
}

/** The names that files in `src` export, values and types: one map for each file. */
export function readExports(files: readonly string[]): ReadonlyMap<string, ExportedName>[] {
  const root = new URL('../../../../', import.meta.url)
  const configFile = fileURLToPath(new URL('tsconfig.test.json', root))
  const { config } = ts.readConfigFile(configFile, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, fileURLToPath(root))
  const paths = files.map(file => fileURLToPath(new URL(`../../src/${file}`, import.meta.url)))
  const program = ts.createProgram(paths, options)
  const checker = program.getTypeChecker()
  return paths.map(path => {
    const source = program.getSourceFile(path)
    const symbol = source && checker.getSymbolAtLocation(source)
    const symbols = symbol ? checker.getExportsOfModule(symbol) : []
    return new Map(symbols.map(each => [each.name, describeExport(each, checker)]))
  })
}

function describeExport(symbol: ts.Symbol, checker: ts.TypeChecker): ExportedName {
  const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0
  const declared = isAlias ? checker.getAliasedSymbol(symbol) : symbol
  const tags = declared.getJsDocTags(checker)
  return { isDeprecated: tags.some(tag => tag.name === 'deprecated') }
}
