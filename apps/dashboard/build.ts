/**
 * Builds the page into dist/ where that is missing or older than its sources, as their hash tells.
 * `node apps/dashboard/build.ts` prints what it did; `--check` builds nothing and fails where it would.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'

const here = import.meta.dirname
const checkout = resolve(here, '../..')
const dist = join(here, 'dist')
/** Bytes, compressed, that a browser loads before any view is asked for. */
const most = 250_000

/** Of all that the page is made from. */
function sourceHash(): string {
  const files = globSync(
    [
      'apps/dashboard/{src/**/*,*.{ts,html,json}}',
      'packages/{client,contracts}/src/**/*.ts',
      'packages/program/src/presentation/*.ts',
    ],
    { cwd: checkout, exclude: (name) => name.endsWith('.test.ts') },
  ).sort()
  const hash = createHash('sha256')
  for (const file of files) {
    if (!/\.[a-z]+$/.test(file)) continue
    hash.update(`${file}\0`).update(readFileSync(join(checkout, file)))
  }
  return hash.digest('hex')
}

/** What the page loads at once: what index.html names, and what that imports without being asked. */
function bytesAtOnce(folder: string): number {
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const found = new Set<string>()
  const follow = (name: string) => {
    if (found.has(name)) return
    found.add(name)
    if (!name.endsWith('.js')) return
    const text = readFileSync(join(folder, 'assets', name), 'utf8')
    for (const [, other = ''] of text.matchAll(/(?:\bfrom|\bimport)\s*"\.\/([\w.-]+\.js)"/g)) follow(other)
  }
  for (const [, name = ''] of page.matchAll(/(?:src|href)="\/assets\/([^"]+)"/g)) follow(name)
  return [...found].reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(folder, 'assets', name))).length,
    0,
  )
}

/** Somebody who builds the same at the same time may be first. */
function replaceBy(draft: string, mark: string, hash: string): void {
  try {
    rmSync(dist, { recursive: true, force: true })
    renameSync(draft, dist)
  } catch (error) {
    if (!existsSync(mark) || readFileSync(mark, 'utf8') !== hash) throw error
  }
}

export async function buildDashboard({ check = false } = {}): Promise<string> {
  const hash = sourceHash()
  const mark = join(dist, 'sources.sha256')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === hash) return 'The dashboard is up to date.'
  if (check) throw new Error('The dashboard is older than its sources. Run: node apps/dashboard/build.ts')
  const began = performance.now()
  // Whoever builds it, such as a test: React has another form for developers.
  process.env['NODE_ENV'] = 'production'
  const { build } = await import('vite').catch(() => {
    throw new Error('Vite is not installed here. Run: npm ci')
  })
  const draft = join(here, `dist.${process.pid}`)
  try {
    await build({
      configFile: join(here, 'vite.config.ts'),
      configLoader: 'native',
      build: { outDir: draft },
    })
    const bytes = bytesAtOnce(draft)
    if (bytes > most)
      throw new Error(
        `The page is ${bytes} bytes, compressed, and may be ${most}: import what is not needed at once when it is.`,
      )
    writeFileSync(join(draft, 'sources.sha256'), hash)
    replaceBy(draft, mark, hash)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    return `The dashboard is built: ${Math.round(bytes / 1000)} kB before the code viewers, in ${seconds} s.`
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

if (import.meta.main) console.log(await buildDashboard({ check: process.argv.includes('--check') }))
