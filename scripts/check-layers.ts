/**
 * Holds who may import whom and what pure folders do without (ARCHITECTURE.md, Layers). Prints a sentence for each
 * fault and exits 1; --graph prints the import graph instead.
 */
import { globSync, readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import ts from 'typescript'
import { forbiddenInPure, free, layers, nodeModulesOfPure } from './layers.ts'

export interface Report {
  faults: string[]
  /** Import edges between workspaces, with how many files import. */
  graph: Map<string, number>
}

interface Workspace {
  folder: string
  dependencies: Set<string>
  exports: Record<string, string>
}

/** Reads all sources below the root and says what doesn't hold. */
export function checkLayers(root: string): Report {
  const workspaces = new Map<string, Workspace>()
  for (const file of globSync(
    [
      '{packages,scenarios,benchmarks,services,apps}/package.json',
      '{packages,scenarios,benchmarks,services,apps}/*/package.json',
    ],
    { cwd: root },
  )) {
    const json = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
      name: string
      dependencies?: object
      exports?: Record<string, string>
    }
    workspaces.set(json.name, {
      folder: file.replace(/\/package\.json$/, ''),
      dependencies: new Set(Object.keys(json.dependencies ?? {})),
      exports: json.exports ?? {},
    })
  }
  const longestFirst = [...workspaces.values()].sort((a, b) => b.folder.length - a.folder.length)
  const workspaceOf = (path: string) => longestFirst.find(({ folder }) => path.startsWith(`${folder}/`))
  const faults: string[] = []
  const edges = new Map<string, Set<string>>()

  const files = globSync('{packages,scenarios,benchmarks,services,apps}/**/*.ts', {
    cwd: root,
    exclude: (name) => name === 'node_modules' || name === 'fixtures' || name === 'golden',
  })
  for (const file of files.sort()) {
    const [layerName, layer] = layerOf(file)
    if (!layer || free.test(file)) continue
    const own = workspaceOf(file)
    for (const { text, line } of findUses(join(root, file), layer.pure === true)) {
      if ('uses' in text) faults.push(`${file}:${line} uses ${text.uses}, which ${text.because}.`)
      else {
        const imported = text.imports
        const packageName =
          imported.startsWith('.') || imported.startsWith('node:')
            ? null
            : imported
                .split('/')
                .slice(0, imported.startsWith('@') ? 2 : 1)
                .join('/')
        if (packageName && own && !own.dependencies.has(packageName))
          faults.push(
            `${file}:${line} imports ${packageName}, which ${own.folder}/package.json does not declare: add it to its dependencies.`,
          )
        if (imported.startsWith('node:') && layer.pure && !nodeModulesOfPure.has(imported))
          faults.push(
            `${file}:${line} imports ${imported}: this folder is pure and does no I/O; take what it gives as an argument.`,
          )
        const target = targetOf(imported, file, workspaces)
        if (!target) continue
        const [targetName] = layerOf(target)
        const unit = workspaceOf(target)?.folder ?? target.split('/')[0]!
        const sameFolder = unit === (own?.folder ?? file.split('/')[0])
        if (own && unit !== own.folder)
          edges.set(`${own.folder} → ${unit}`, (edges.get(`${own.folder} → ${unit}`) ?? new Set()).add(file))
        const climbs = sameFolder && targetName === 'backend' && layerName !== 'backend' // pure code may not reach its own backend
        if (free.test(target))
          faults.push(`${file}:${line} imports ${target}: only tests import tests and the test kit.`)
        else if (climbs || (!sameFolder && !layer.mayImport.includes(targetName)))
          faults.push(`${file}:${line} imports ${target}: ${layer.rule}.`)
      }
    }
  }
  return { faults, graph: new Map([...edges].map(([edge, importers]) => [edge, importers.size])) }
}

const layerOf = (path: string) =>
  Object.entries(layers).find(([, { at }]) => at.test(path)) ?? (['', undefined] as const)

/** The file that an import of ours means; null for packages of others. */
function targetOf(imported: string, from: string, workspaces: Map<string, Workspace>): string | null {
  if (imported.startsWith('.')) return normalize(join(from, '..', imported))
  const [scope, name, ...rest] = imported.split('/')
  const workspace = workspaces.get(`${scope}/${name}`)
  if (!workspace) return null
  return normalize(
    join(
      workspace.folder,
      workspace.exports[rest.length ? `./${rest.join('/')}` : '.'] ?? `${rest.join('/') || 'index'}.ts`,
    ),
  )
}

type Use = { line: number; text: { imports: string } | { uses: string; because: string } }

/** What a file imports and, where it must be pure, what it uses that is not. */
function findUses(path: string, pure: boolean): Use[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest)
  const found: Use[] = []
  const visit = (node: ts.Node): void => {
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
    const imports = importedBy(node)
    if (imports) found.push({ line, text: { imports } })
    const expression = pure ? named(node, source) : null
    for (const [pattern, because] of forbiddenInPure)
      if (expression && pattern.test(expression)) found.push({ line, text: { uses: expression, because } })
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function importedBy(node: ts.Node): string | null {
  if (
    (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
    node.moduleSpecifier &&
    ts.isStringLiteral(node.moduleSpecifier)
  )
    return node.moduleSpecifier.text
  const [first] =
    ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword ? node.arguments : []
  return first && ts.isStringLiteral(first) ? first.text : null
}

function named(node: ts.Node, source: ts.SourceFile): string | null {
  if (ts.isPropertyAccessExpression(node)) return node.getText(source)
  if (ts.isNewExpression(node) && node.expression.getText(source) === 'Date' && !node.arguments?.length)
    return 'new Date()'
  return ts.isCallExpression(node) && ts.isIdentifier(node.expression) ? node.expression.text : null
}

if (import.meta.main) {
  const { faults, graph } = checkLayers(join(import.meta.dirname, '..'))
  if (process.argv.includes('--graph'))
    console.log(
      [...graph]
        .map(([edge, files]) => `${edge} (${files})`)
        .sort()
        .join('\n'),
    )
  else console.log(faults.length ? faults.join('\n') : 'Import directions and purity hold.')
  process.exitCode = faults.length ? 1 : 0
}
