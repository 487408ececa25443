/**
 * Runs every check and test in order, prints what was skipped and why, and ends with 'N passed, N failed, N
 * skipped'.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { endChildrenWithThis } from '@stateeval/testkit/end-with-owner'
import { toolOrBuild } from './kubernetes/tools.ts'

endChildrenWithThis()
const root = join(import.meta.dirname, '..')
const long = process.argv.includes('--long')
const unknown = process.argv.slice(2).filter((argument) => argument !== '--long')
if (unknown.length) {
  console.error(
    `scripts/test takes --long and nothing else, not ${unknown.join(' ')}. One file: npm test -- path/to/some.test.ts`,
  )
  process.exit(2)
}

if (long && !process.env['HELM']) {
  console.log('-- helm is searched for, or built by Go')
  const helm = toolOrBuild('helm')
  if (helm !== null) process.env['HELM'] = helm
}

const bin = (name: string) => join(root, 'node_modules', name)
/** Beside one another, more threads do the same work several times. */
const oneThread = { GOMAXPROCS: '1' }
/** Name, then the arguments of Node, and settings. Each counts as one test. */
const checks: [string, string[], NodeJS.ProcessEnv?][] = [
  ['lint', [bin('oxlint/bin/oxlint'), '--max-warnings', '0'], oneThread],
  ['format', [bin('oxfmt/bin/oxfmt'), '--check']],
  ['layers', ['scripts/check-layers.ts']],
  ['types', [bin('typescript-native/bin/tsc'), '-b', '.', 'apps/dashboard', '--checkers', '1'], oneThread],
  ['the dashboard is built', ['apps/dashboard/build.ts']],
  ['openapi is generated from the contracts, and well-formed', ['scripts/openapi.ts', '--check']],
  [
    'openapi of the session service is well-formed',
    [bin('@redocly/cli/bin/cli.js'), 'lint', 'openapi/session-service.yaml'],
  ],
  ['configuration is generated from the settings', ['scripts/configuration.ts', '--check']],
  ['commands are documented from their own help', ['scripts/command-reference.ts', '--check']],
  ['the table of dialects is that of the client', ['scripts/dialects.ts', '--check']],
  ['links, anchors and prose', ['scripts/check-docs.ts']],
  ['rights in NATS are generated from the subjects', ['scripts/nats-permissions.ts', '--check']],
  ['licences of dependencies', ['scripts/licences.ts']],
  ['no secrets', ['scripts/secrets.ts']],
  ['no known vulnerabilities in dependencies', ['scripts/audit.ts']],
]
/** The status of a check that could not be made here; what it printed says why. */
const skippedStatus = 77
/** Limits for what hangs, which no slow machine reaches. */
const [checkHours, testHours] = long ? [6, 48] : [2, 6]

/**
 * Runs Node (or another program) in the root without stdin; its status, null when it had to be killed.
 * `quiet` gives its output at the end.
 */
async function statusOf(
  args: string[],
  hours: number,
  { env = {}, file = process.execPath, quiet = false }: RunOptions = {},
): Promise<number | null> {
  const out = quiet ? 'pipe' : 'inherit'
  const child = spawn(file, args, { cwd: root, stdio: ['ignore', out, out], env: { ...process.env, ...env } })
  const text: Buffer[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => void text.push(chunk))
  const timer = setTimeout(() => {
    text.push(Buffer.from(`It has not ended after ${hours} hours and is killed.\n`))
    child.kill('SIGKILL')
  }, hours * 3_600_000)
  const status = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  )
  clearTimeout(timer)
  process.stdout.write(Buffer.concat(text))
  return status
}
const run = async (...of: Parameters<typeof statusOf>) => (await statusOf(...of)) === 0
interface RunOptions {
  env?: NodeJS.ProcessEnv
  file?: string
  quiet?: boolean
}

interface JestResult {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  numRuntimeErrorTestSuites: number
  testResults: { name: string; assertionResults: { status: string; fullName: string }[] }[]
}

let passed = 0
let failed = 0
let skipped = 0
const failures: string[] = []
const note = (name: string, fine: boolean) => {
  if (fine) passed++
  else failed++
  if (!fine) failures.push(name)
}

// Two at a time: the linter takes as long as all others together.
const queue = [...checks]
const running = new Set<string>()
const progress = setInterval(
  () =>
    console.log(`-- running: ${[...running].join(', ')}; ${queue.length} of ${checks.length} checks wait`),
  60_000,
)
await Promise.all(
  [1, 2].map(async () => {
    for (let check = queue.shift(); check; check = queue.shift()) {
      const [name, args, env] = check
      const began = performance.now()
      running.add(name)
      const status = await statusOf(args, checkHours, { quiet: true, ...(env && { env }) })
      running.delete(name)
      if (status === skippedStatus) skipped++
      else note(name, status === 0)
      console.log(`== ${name}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
    }
  }),
)
clearInterval(progress)

console.log('\n== tests')
const folder = mkdtempSync(join(tmpdir(), 'stateeval-tests-'))
const output = join(folder, 'result.json')
// In another order of tests each time, which Jest names by a seed: none depends on those before it.
const choice = long ? ['--randomize'] : ['--testPathIgnorePatterns', String.raw`\.long\.test\.ts$`]
const jest = [bin('jest/bin/jest.js'), '--json', '--outputFile', output, ...choice]
// Workers and what tests start compile each module once.
const env = { NODE_COMPILE_CACHE: join(folder, 'compiled'), ...(long && { STATEEVAL_LONG: '1' }) }
const fine = await run(jest, testHours, { env })
if (existsSync(output)) {
  const result = JSON.parse(readFileSync(output, 'utf8')) as JestResult
  passed += result.numPassedTests
  failed += result.numFailedTests + result.numRuntimeErrorTestSuites
  skipped += result.numPendingTests + result.numTodoTests
  for (const { name, assertionResults } of result.testResults) {
    const file = relative(root, name)
    for (const { status, fullName } of assertionResults) {
      if (status === 'failed') failures.push(`${file}: ${fullName}`)
      if (status === 'pending' || status === 'todo') console.log(`skipped: ${file}: ${fullName}`)
    }
    if (assertionResults.length === 0) failures.push(`${file}: the file did not run`)
  }
  if (!fine && result.numFailedTests + result.numRuntimeErrorTestSuites === 0) note('jest', false)
} else note('jest', false)
rmSync(folder, { recursive: true })

if (long) {
  console.log('\n== every contract, fuzzed')
  note('every contract, fuzzed', await run(['scripts/fuzz-contracts.ts'], testHours))
  console.log('\n== containers')
  note('containers', await run([], testHours, { file: join(root, 'scripts/test-containers') }))
}
for (const failure of failures) console.log(`failed: ${failure}`)
if (!process.env.STATEEVAL_DATASETS)
  console.log(
    'STATEEVAL_DATASETS is not set: tests against published data were skipped (scripts/datasets says which).',
  )
if (!long) console.log('Long tests, and files *.long.test.ts, were left out: scripts/test --long runs them.')
console.log(`\n${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`)
process.exitCode = failed ? 1 : 0
