/** Measures of the sources: import circles, sizes, exports that nobody imports. */
import type { SourceFile } from './imports.ts'

type Sources = ReadonlyMap<string, Pick<SourceFile, 'imports'>>

/**
 * Files that import each other, in however many steps: Tarjan's strongly connected components, the largest
 * first.
 */
export function circlesIn(sources: Sources): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const stacked = new Set<string>()
  const circles: string[][] = []
  const visit = (file: string): number => {
    const at = order.size
    order.set(file, at)
    lowest.set(file, at)
    stack.push(file)
    stacked.add(file)
    for (const next of sources.get(file)?.imports ?? []) {
      const low = order.has(next) ? (stacked.has(next) ? order.get(next) : undefined) : visit(next)
      if (low !== undefined) lowest.set(file, Math.min(lowest.get(file) ?? at, low))
    }
    const low = lowest.get(file) ?? at
    if (low === at) {
      const circle = stack.splice(stack.indexOf(file))
      for (const one of circle) stacked.delete(one)
      if (circle.length > 1) circles.push(circle.sort())
    }
    return low
  }
  for (const file of sources.keys()) if (!order.has(file)) visit(file)
  return circles.sort((a, b) => b.length - a.length || (a.join() < b.join() ? -1 : 1))
}

/** A circle is understood as a whole; of more files than this it cannot be. */
export const maxCircle = 3

/** Circles with their files, and the imports within them. */
export const sayCircles = (circles: readonly string[][], sources: Sources): string =>
  circles.length === 0
    ? 'No file imports itself by way of others.'
    : circles
        .map((circle) =>
          [
            `${circle.length} files import each other:`,
            ...circle.map((file) => {
              const within = [...(sources.get(file)?.imports ?? [])].filter((one) => circle.includes(one))
              return `  ${file} → ${within.join(', ')}`
            }),
          ].join('\n'),
        )
        .join('\n')

const isTest = (file: string) => /\.test\.ts$|\/test\/|^e2e\//.test(file)

const openFolders = /^(?:clients|packages\/contracts)\//

/**
 * Exports that no other file imports by their name, as `file: names`. Those of clients are for callers, and
 * those of contracts name the schemas of the OpenAPI documents.
 */
export function unusedExports(sources: ReadonlyMap<string, SourceFile>): string[] {
  const users = new Map<string, Set<string>>()
  for (const [file, { uses }] of sources)
    for (const name of uses) users.set(name, (users.get(name) ?? new Set()).add(file))
  const isUsed = (file: string, name: string) =>
    users.has(`* ${file}`) || [...(users.get(name) ?? [])].some((user) => user !== file)
  return [...sources].flatMap(([file, { exports }]) => {
    if (openFolders.test(file)) return []
    const unused = exports.filter((name) => !isUsed(file, name))
    return unused.length === 0 ? [] : [`${file}: ${unused.join(', ')}`]
  })
}

/** Lengths of files and folders, without tests. */
export function saySizes(sources: ReadonlyMap<string, SourceFile>): string {
  const files = [...sources].filter(([file]) => !isTest(file)).map(([file, { lines }]) => ({ file, lines }))
  const byLength = files.toSorted((a, b) => a.lines - b.lines)
  const quantile = (share: number) =>
    byLength[Math.min(byLength.length - 1, Math.floor(byLength.length * share))]
  const folders = Map.groupBy(files, ({ file }) => file.slice(0, file.lastIndexOf('/')))
  const fullest = [...folders].sort(([, a], [, b]) => b.length - a.length).slice(0, 10)
  return [
    `${files.length} files: median ${quantile(0.5)?.lines}, 90th percentile ${quantile(0.9)?.lines} lines`,
    'Longest files:',
    ...byLength
      .slice(-10)
      .reverse()
      .map(({ file, lines }) => `  ${lines} ${file}`),
    'Fullest folders:',
    ...fullest.map(([folder, folderFiles]) => `  ${folderFiles.length} ${folder}`),
  ].join('\n')
}
