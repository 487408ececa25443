/**
 * Builds the page into dist/ where that is missing or older than its sources, as their hash tells.
 * `node apps/dashboard/build.ts` prints what it did; `--check` builds nothing and fails where it would.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { DashboardEdition } from './vite.config.ts'

const here = import.meta.dirname
const checkout = resolve(here, '../..')
const dist = join(here, 'dist')
/** Bytes, compressed, that a browser loads before any view is asked for. */
const most = 250_000

/** Hashes all sources. */
function hashSources(): string {
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

/**
 * Measures the files that load with the page: what index.html names, and what that imports without being
 * asked.
 */
function measureInitialLoad(folder: string): number {
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

const hashForPolicy = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * The page with script and style inside, around the place of its data: `file.html`, which opens from disk.
 * Nothing else runs or styles it, and it may load nothing.
 */
function buildFilePage(folder: string): string {
  const style = readdirSync(join(folder, 'assets'))
    .filter((name) => name.endsWith('.css'))
    .map((name) => readFileSync(join(folder, 'assets', name), 'utf8'))
    .join('\n')
  // Inside HTML a script ends at its end tag, wherever that is; in code these stand in texts alone.
  const script = readFileSync(join(folder, 'file.js'), 'utf8')
    .replace(/<(?=\/script)/gi, '\\x3c')
    .replaceAll('<!--', '\\x3c!--')
  if (/<\/style/i.test(style))
    throw new Error('The style cannot be embedded in a page: it contains an end tag.')
  const policy = [
    "default-src 'none'",
    `script-src ${hashForPolicy(script)}`,
    `style-src ${hashForPolicy(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  const shell = readFileSync(join(here, 'index.html'), 'utf8')
  const parts = shell.split('<script type="module" src="/src/main.tsx"></script>\n')
  if (parts.length !== 2) throw new Error('index.html has no script to be replaced.')
  const head = `<meta http-equiv="Content-Security-Policy" content="${policy}" />`
  const [before = '', after = ''] = parts
  return [
    before
      .replace(/(?<=<meta charset="utf-8" \/>\n)/, `    ${head}\n`)
      .replace('</head>', () => `  <style>${style}</style>\n  </head>`),
    `${placeOfData}\n<script>${script}</script>\n`,
    after,
  ].join('')
}
/** Placeholder for the data. */
const placeOfData = '<!-- data -->'

/** Puts the script that begins early into the served page, before all others. */
function addEarlyScript(folder: string, from: string): void {
  const script = readFileSync(join(from, 'early.js'))
  const name = `early-${createHash('sha256').update(script).digest('hex').slice(0, 8)}.js`
  writeFileSync(join(folder, 'assets', name), script)
  const page = join(folder, 'index.html')
  const tag = `<script src="/assets/${name}"></script>\n    `
  writeFileSync(page, readFileSync(page, 'utf8').replace('<script type="module"', `${tag}$&`))
}

/** Beside each file its compressed form, for browsers that are not on the same machine. */
function compressFiles(folder: string): void {
  for (const name of readdirSync(folder))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(readFileSync(join(folder, name)), { level: 9 }))
}

/** Somebody who builds the same at the same time may be first. */
function replaceFile(draft: string, mark: string, hash: string): void {
  try {
    rmSync(dist, { recursive: true, force: true })
    renameSync(draft, dist)
  } catch (error) {
    if (!existsSync(mark) || readFileSync(mark, 'utf8') !== hash) throw error
  }
}

async function buildDashboard({ check = false } = {}): Promise<string> {
  const hash = hashSources()
  const mark = join(dist, 'sources.sha256')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === hash) return 'The dashboard is up to date.'
  if (check) throw new Error('The dashboard is older than its sources. Run: node apps/dashboard/build.ts')
  const began = performance.now()
  // Whoever builds it, such as a test: React has another form for developers.
  process.env['NODE_ENV'] = 'production'
  const { build } = await import('vite').catch(() => {
    throw new Error('Vite is not installed here. Run: npm ci')
  })
  const { createPageConfig: pageConfig } = await import('./vite.config.ts')
  const draft = join(here, `dist.${process.pid}`)
  const [fileDraft, earlyDraft] = [`${draft}.file`, `${draft}.early`]
  const into = async (outDir: string, edition: DashboardEdition) => {
    const config = pageConfig(edition)
    await build({ ...config, configFile: false, build: { ...config.build, outDir } })
  }
  try {
    await into(draft, 'served')
    await into(earlyDraft, 'early')
    addEarlyScript(draft, earlyDraft)
    await into(fileDraft, 'file')
    writeFileSync(join(draft, 'file.html'), buildFilePage(fileDraft))
    const bytes = measureInitialLoad(draft)
    if (bytes > most)
      throw new Error(
        `The page is ${bytes} bytes, compressed, and may be ${most}: import what is not needed at once when it is.`,
      )
    compressFiles(join(draft, 'assets'))
    writeFileSync(join(draft, 'sources.sha256'), hash)
    replaceFile(draft, mark, hash)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    return `The dashboard is built: ${Math.round(bytes / 1000)} kB before the code viewers, in ${seconds} s.`
  } finally {
    for (const folder of [draft, earlyDraft, fileDraft]) rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) console.log(await buildDashboard({ check: process.argv.includes('--check') }))
