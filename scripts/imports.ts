/** The sources of the repository with what they import and export, read once for all checks. */
import { globSync, readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import ts from 'typescript'

interface Workspace {
  folder: string
  dependencies: Set<string>
  exports: Record<string, string>
}

/** Workspaces by their names. */
export function workspacesIn(root: string): Map<string, Workspace> {
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
  return workspaces
}

/** The file that an import of ours means; null for packages of others. */
export function targetOf(specifier: string, from: string, workspaces: Map<string, Workspace>): string | null {
  if (specifier.startsWith('.')) return normalize(join(from, '..', specifier))
  const [scope, name, ...rest] = specifier.split('/')
  const workspace = workspaces.get(`${scope}/${name}`)
  if (!workspace) return null
  return normalize(
    join(
      workspace.folder,
      workspace.exports[rest.length ? `./${rest.join('/')}` : '.'] ?? `${rest.join('/') || 'index'}.ts`,
    ),
  )
}

/** Gets the specifier of an import or a re-export; null for other nodes. */
export function importedBy(node: ts.Node): string | null {
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

export const sourcesIn = (root: string, folders: string): string[] =>
  globSync(`${folders}/**/*.{ts,tsx}`, {
    cwd: root,
    exclude: (name) => ['node_modules', 'fixtures', 'golden'].includes(name),
  }).sort()

export const parse = (root: string, file: string): ts.SourceFile =>
  ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true)

/** One source as the measurements see it. */
export interface SourceFile {
  lines: number
  /** Sources of ours that it imports, types too. */
  imports: Set<string>
  /** Names that it imports, from wherever, and those of whole modules: `*` and the target. */
  uses: Set<string>
  /** Names that it declares and exports. */
  exports: string[]
}

/** All sources of ours, tests too. */
export function readSources(root: string): Map<string, SourceFile> {
  const workspaces = workspacesIn(root)
  const all = sourcesIn(
    root,
    '{packages,scenarios,benchmarks,services,apps,scripts,perf,e2e,deploy,clients/typescript/src}',
  )
  const knownFiles = new Set(all)
  return new Map(
    all.map((file) => {
      const source = parse(root, file)
      const sourceFile: SourceFile = {
        lines: source.getLineAndCharacterOfPosition(source.end).line,
        imports: new Set(),
        uses: new Set(),
        exports: [],
      }
      const visit = (node: ts.Node): void => {
        const specifier = importedBy(node)
        const target = specifier === null ? null : targetOf(specifier, file, workspaces)
        if (target !== null && knownFiles.has(target)) {
          sourceFile.imports.add(target)
          if (namesAll(node)) sourceFile.uses.add(`* ${target}`)
        }
        const loaded = findLoadedModule(node)
        if (loaded !== null) sourceFile.uses.add(`* ${normalize(join(file, '..', loaded))}`)
        if (ts.isImportSpecifier(node) || ts.isExportSpecifier(node))
          sourceFile.uses.add((node.propertyName ?? node.name).text)
        ts.forEachChild(node, visit)
      }
      visit(source)
      sourceFile.exports = [...new Set([...source.statements].flatMap(exportedBy))]
      return [file, sourceFile]
    }),
  )
}

/** Gets the path in `new URL('./x.ts', import.meta.url)`, which threads load; null for other nodes. */
function findLoadedModule(node: ts.Node): string | null {
  const [path] = ts.isNewExpression(node) && node.expression.getText() === 'URL' ? (node.arguments ?? []) : []
  return path && ts.isStringLiteral(path) && path.text.startsWith('.') ? path.text : null
}

/** `import * as x` and `import(…)` use whatever there is. */
const namesAll = (node: ts.Node): boolean =>
  ts.isCallExpression(node) ||
  (ts.isImportDeclaration(node) &&
    node.importClause?.namedBindings !== undefined &&
    ts.isNamespaceImport(node.importClause.namedBindings))

function exportedBy(node: ts.Statement): string[] {
  const modifiers = (ts.canHaveModifiers(node) ? ts.getModifiers(node) : undefined) ?? []
  const has = (kind: ts.SyntaxKind) => modifiers.some((modifier) => modifier.kind === kind)
  // A default export is imported by whatever name.
  if (!has(ts.SyntaxKind.ExportKeyword) || has(ts.SyntaxKind.DefaultKeyword)) return []
  if (ts.isVariableStatement(node))
    return node.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []))
  return (ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node)) &&
    node.name
    ? [node.name.text]
    : []
}
