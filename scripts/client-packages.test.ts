/**
 * clients/python, clients/go and clients/typescript as their users have them: installed, type-checked,
 * compiled, and run against a suite. Runs with STATEEVAL_LONG=1: PyPI and Go's module proxy are asked the
 * first time.
 */
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startSuite, type Suite } from '@stateeval/testkit'
import { root } from './generated.ts'
import { oapiCodegen, writeGoClient } from './go-client.ts'
import { pythonTools } from './python-tools.ts'
import { buildTypescriptClient } from './typescript-client.ts'

const isLong = process.env['STATEEVAL_LONG'] !== undefined
const tools = isLong ? pythonTools('clients') : { ok: false as const, reason: 'scripts/test --long does it' }
if (!tools.ok) console.info(`skipped: the client for Python is not installed: ${tools.reason}`)
const inPython = tools.ok ? test : test.skip
const bin = (name: string) => (tools.ok ? tools.bin(name) : '')

const hasGo = spawnSync('go', ['version']).status === 0
if (!isLong) console.info('skipped: clients for Go and TypeScript: scripts/test --long does it')
else if (!hasGo) console.info('skipped: the client for Go: there is no go on PATH')
const inGo = isLong && hasGo ? test : test.skip
const long = isLong ? test : test.skip

let folder: string
let suite: Suite
beforeAll(async () => {
  if (!isLong) return
  folder = mkdtempSync(join(tmpdir(), 'stateeval-packages-'))
  suite = await startSuite()
})
afterAll(async () => {
  await suite?.stop()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

async function run(cwd: string, file: string, ...args: string[]): Promise<string> {
  const env = {
    ...process.env,
    STATEEVAL_URL: suite.urls['evaluation'],
    NO_COLOR: '1',
    GOFLAGS: '-mod=readonly',
  }
  const options = { cwd, env, maxBuffer: 2 ** 26 }
  const { stdout } = await promisify(execFile)(file, args, options).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`${file} ${args.join(' ')}: ${error.stdout}${error.stderr}`.slice(0, 4000))
    },
  )
  return stdout
}

inPython('Python: mypy --strict accepts the client and its example', async () => {
  const python = join(root, 'clients/python')
  const cache = join(folder, 'mypy')
  await run(python, bin('mypy'), '--cache-dir', cache, 'src', 'examples/evaluate.py')
  // A misspelt field is found.
  const wrong = join(folder, 'wrong.py')
  writeFileSync(wrong, 'from stateeval import StateEval\nStateEval().build(scenario="x", program=3)\n')
  const refused = run(python, bin('mypy'), '--cache-dir', cache, 'src', wrong)
  await expect(refused).rejects.toThrow('"program"')
})

inPython('Python: the installed package does what its README says', async () => {
  const site = join(folder, 'site')
  const install = ['install', '--quiet', '--no-deps', '--no-build-isolation', '--target', site]
  await run(folder, bin('python'), '-m', 'pip', ...install, join(root, 'clients/python'))
  const script = join(root, 'scripts/clients/check_python_client.py')
  const start = `import sys, runpy; sys.path.insert(0, ${JSON.stringify(site)}); runpy.run_path(${JSON.stringify(script)})`
  const output = JSON.parse(await run(folder, bin('python'), '-c', start)) as Record<string, unknown>
  const { html, hostile, ...rest } = output as { html: string; hostile: string }
  expect(rest).toEqual({
    cases: 3,
    progress: true,
    phases: expect.arrayContaining(['generate']),
    rate: 1,
    interval: true,
    frame: [true, 3, true],
    groups: expect.arrayContaining(['api', 'length']),
    compared: ['reference', 'mutant'],
    gate: [true, true],
    events: 'end',
    service: ['ServiceError', expect.stringContaining('ev_0000000000000000')],
    field: ['ServiceError', expect.stringContaining('nowhere')],
    away: ['Unreachable', expect.stringContaining('npx stateeval up')],
    address: ['ValueError', expect.stringContaining('base_url')],
    errors: [true, true, true],
    deleted: null,
  })
  expect(html).toContain('<h4>Pass rate by api</h4><svg')
  expect(html).toContain('<td>3 of 3</td>')
  expect(hostile).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(hostile).not.toMatch(/<script|<b>|<i>/)
})

inGo('Go: oapi-codegen reads every contract without a warning', () => {
  for (const name of ['evaluation', 'execution', 'scoring', 'trace-generation', 'translation']) {
    const contract = join(root, 'openapi', `${name}.yaml`)
    const output = join(folder, `${name}.go`)
    expect(
      oapiCodegen(['-generate', 'types,client', '-package', 'api', '-o', output, contract], folder),
    ).toBe('')
  }
})

inGo('Go: the client compiles, builds, evaluates and reports', async () => {
  const go = join(root, 'clients/go')
  expect(writeGoClient()).toBe('')
  await run(go, 'go', 'vet', './...')
  expect(await run(go, 'go', 'run', './examples/evaluate')).toBe('reference: 3 of 3 passed\n')
})

long('TypeScript: the packed package runs, and its declarations suit a strict project', async () => {
  buildTypescriptClient()
  const typescript = join(root, 'clients/typescript')
  const [packed] = JSON.parse(
    await run(typescript, 'npm', 'pack', '--json', '--pack-destination', folder),
  ) as [{ filename: string }]
  const project = join(folder, 'project')
  const installed = join(project, 'node_modules/stateeval')
  mkdirSync(installed, { recursive: true })
  await run(folder, 'tar', '-xzf', packed.filename, '-C', installed, '--strip-components', '1')
  for (const dependency of ['typebox', 'canonicalize'])
    symlinkSync(join(root, 'node_modules', dependency), join(project, 'node_modules', dependency))
  symlinkSync(join(root, 'node_modules/@types'), join(project, 'node_modules/@types'))

  writeFileSync(join(project, 'package.json'), '{"type":"module"}')
  writeFileSync(
    join(project, 'use.ts'),
    `import { connect, JobError, type Report } from 'stateeval'
const suite = connect({ url: 'http://127.0.0.1:7400' })
const report: Report = await suite.report('ev_1')
const rate: number | null = report.result.overall.rate
// @ts-expect-error the scenario is missing
await suite.build({ programs: 3 })
export { JobError, rate }
`,
  )
  const compilerOptions = {
    strict: true,
    target: 'es2024',
    module: 'nodenext',
    noEmit: true,
    types: ['node'],
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }))
  await run(project, process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', project)

  const example = readFileSync(join(typescript, 'examples/evaluate.mjs'), 'utf8')
  writeFileSync(join(project, 'evaluate.mjs'), example)
  expect(await run(project, process.execPath, 'evaluate.mjs')).toBe('reference: 3 of 3 passed\n')
})
