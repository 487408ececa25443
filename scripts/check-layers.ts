/**
 * Holds who may import whom, what pure folders do without (ARCHITECTURE.md, Layers), that no more than a few
 * files import each other, that exports are used, that shared interfaces are narrow (wide-types.ts), and the
 * goals for names (names.ts). Prints a sentence for each fault and exits 1. Instead, --graph prints the
 * import graph, --circles the circles with their files, --sizes lengths of files and folders, --names the
 * shares of names.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { importedBy, parse, readSources, sourcesIn, targetOf, workspacesIn } from './imports.ts'
import { forbiddenInPure, free, inside, layers, nodeModulesOfPure } from './layers.ts'
import { circlesIn, maxCircle, sayCircles, saySizes, unusedExports } from './measures.ts'
import { findGlossaryFaults, findNamingFaults, formatMeasures, measureNames, readNames } from './names.ts'
import { findWideTypes } from './wide-types.ts'

export interface Report {
  faults: string[]
  /** Import edges between workspaces, with how many files import. */
  graph: Map<string, number>
}

/** Reads all sources below the root and says what doesn't hold. */
export function checkLayers(root: string): Report {
  const workspaces = workspacesIn(root)
  const longestFirst = [...workspaces.values()].sort((a, b) => b.folder.length - a.folder.length)
  const workspaceOf = (path: string) => longestFirst.find(({ folder }) => path.startsWith(`${folder}/`))
  const faults: string[] = []
  const edges = new Map<string, Set<string>>()

  for (const file of sourcesIn(root, '{packages,scenarios,benchmarks,services,apps}')) {
    const [layerName, layer] = layerOf(file)
    if (!layer || free.test(file)) continue
    const ownWorkspace = workspaceOf(file)
    for (const { text, line } of findUses(root, file, layer.pure === true)) {
      if ('uses' in text) faults.push(`${file}:${line} uses ${text.uses}, which ${text.because}.`)
      else {
        const specifier = text.imports
        const packageName = /^(\.|node:|virtual:)/.test(specifier)
          ? null
          : specifier
              .split('/')
              .slice(0, specifier.startsWith('@') ? 2 : 1)
              .join('/')
        if (packageName && ownWorkspace && !ownWorkspace.dependencies.has(packageName))
          faults.push(
            `${file}:${line} imports ${packageName}, which ${ownWorkspace.folder}/package.json does not declare: add it to its dependencies.`,
          )
        if (specifier.startsWith('node:') && layer.pure && !nodeModulesOfPure.has(specifier))
          faults.push(
            `${file}:${line} imports ${specifier}: this folder is pure and does no I/O; take what it gives as an argument.`,
          )
        const target = targetOf(specifier, file, workspaces)
        if (!target) continue
        const [targetName] = layerOf(target)
        const unit = workspaceOf(target)?.folder ?? target.split('/')[0]!
        const sameFolder = unit === (ownWorkspace?.folder ?? file.split('/')[0])
        if (ownWorkspace && unit !== ownWorkspace.folder)
          edges.set(
            `${ownWorkspace.folder} → ${unit}`,
            (edges.get(`${ownWorkspace.folder} → ${unit}`) ?? new Set()).add(file),
          )
        const brokenRule = inside.find((rule) => rule.at.test(file) && rule.not.test(target))
        if (brokenRule) faults.push(`${file}:${line} imports ${target}: ${brokenRule.rule}.`)
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

type Use = { line: number; text: { imports: string } | { uses: string; because: string } }

/** What a file imports and, where it must be pure, what it uses that is not. */
function findUses(root: string, file: string, pure: boolean): Use[] {
  const source = parse(root, file)
  const uses: Use[] = []
  const visit = (node: ts.Node): void => {
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
    const imports = importedBy(node)
    if (imports) uses.push({ line, text: { imports } })
    const expression = pure ? named(node, source) : null
    for (const [pattern, because] of forbiddenInPure)
      if (expression && pattern.test(expression)) uses.push({ line, text: { uses: expression, because } })
    ts.forEachChild(node, visit)
  }
  visit(source)
  return uses
}

function named(node: ts.Node, source: ts.SourceFile): string | null {
  if (ts.isPropertyAccessExpression(node)) return node.getText(source)
  if (ts.isNewExpression(node) && node.expression.getText(source) === 'Date' && !node.arguments?.length)
    return 'new Date()'
  return ts.isCallExpression(node) && ts.isIdentifier(node.expression) ? node.expression.text : null
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const { faults, graph } = checkLayers(root)
  const sources = readSources(root)
  const circles = circlesIn(sources)
  const large = circles.filter(({ length }) => length > maxCircle)
  if (large.length > 0) faults.push(sayCircles(large, sources))
  const names = readNames(root)
  const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
  faults.push(...findNamingFaults(names), ...findGlossaryFaults(glossary, names))
  const shared = [...sources.keys()].filter((file) => /^(?:packages|services)\/[^/]+\/src\//.test(file))
  faults.push(...findWideTypes(shared.map((file) => parse(root, file))))
  // A copy without tests lacks those that use what only they use.
  const hasTests = [...sources.keys()].some((file) => file.endsWith('.test.ts'))
  for (const unused of hasTests ? unusedExports(sources) : [])
    faults.push(`${unused}: exported, and no other file imports it; drop the export.`)
  const edges = [...graph].map(([edge, files]) => `${edge} (${files})`).sort()
  const summary = faults.length ? faults.join('\n') : 'Import directions, purity and names hold.'
  if (process.argv.includes('--graph')) console.log(edges.join('\n'))
  else if (process.argv.includes('--circles')) console.log(sayCircles(circles, sources))
  else if (process.argv.includes('--sizes')) console.log(saySizes(sources))
  else if (process.argv.includes('--names')) console.log(formatMeasures(measureNames(names)))
  else console.log(summary)
  process.exitCode = faults.length ? 1 : 0
}
