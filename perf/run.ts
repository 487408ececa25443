/**
 * `npm run perf -- NAME [options]`: runs perf/NAME.ts, prints its table, writes perf/results/NAME.json and
 * docs/performance.md.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, homedir } from 'node:os'
import { join } from 'node:path'
import { generatorVersion } from '@stateeval/generate'
import { endChildrenWithThis } from '@stateeval/testkit/end-with-owner'
import { document, table } from './document.ts'
import { type Bench, type BenchResult, worstRatio } from './result.ts'

const here = import.meta.dirname
const results = join(here, 'results')
const helpers = ['run.ts', 'result.ts', 'document.ts']
const names = readdirSync(here)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !helpers.includes(file))
  .map((file) => file.slice(0, -3))

const commit = () => {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: here,
      encoding: 'utf8',
    }).trim()
  } catch {
    return 'no commit'
  }
}

/** Writes the result, and the page of all results. */
function store(name: string, { about, parts, files = {}, notes }: Bench) {
  const machine = `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.versions.node}`
  const result: BenchResult = {
    name,
    commit: commit(),
    generatorVersion,
    machine,
    ratio: worstRatio(parts),
    about,
    parts,
    ...(notes ? { notes } : {}),
  }
  mkdirSync(results, { recursive: true })
  writeFileSync(join(results, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`)
  for (const [file, text] of Object.entries(files)) writeFileSync(join(results, file), text)
  const all = readdirSync(results).filter((file) => file.endsWith('.json'))
  writeFileSync(
    join(here, '../docs/performance.md'),
    document(all.sort().map((file) => JSON.parse(readFileSync(join(results, file), 'utf8')) as BenchResult)),
  )
}

// Services are measured as the command starts them: with what was compiled once.
process.env['NODE_COMPILE_CACHE'] ||= join(
  process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'),
  'stateeval',
  'compiled',
)

endChildrenWithThis()
const [name, ...options] = process.argv.slice(2)
if (!name || !names.includes(name)) {
  console.error(`Usage: npm run perf -- NAME, with NAME one of ${names.join(', ')}`)
  process.exitCode = 2
} else {
  const { run } = (await import(`./${name}.ts`)) as {
    run: (options: string[]) => Promise<Bench>
  }
  const { about, parts, files = {}, notes, partial } = await run(options)
  if (!partial) store(name, { about, parts, files, notes })
  console.log([about, table(parts), ...(notes ? [notes] : [])].join('\n\n'))
  const missed = parts.filter(({ ratio, aim }) => aim !== undefined && ratio !== undefined && ratio < aim)
  for (const part of missed) console.error(`missed: ${part.name}: ratio ${part.ratio} is under ${part.aim}`)
  process.exitCode = missed.length ? 1 : 0
}
