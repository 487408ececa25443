/**
 * Clients that others generate from openapi work: each generator reads every contract, and what it
 * makes talks to a suite.
 */
import { execFile, spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startSuite, type Suite } from '@stateeval/testkit'
import { root } from './generated.ts'
import { pythonTools } from './python-tools.ts'

const long = process.env['STATEEVAL_LONG'] !== undefined
const tools = long ? pythonTools('clients') : { ok: false as const, reason: 'scripts/test --long does it' }
if (!tools.ok) console.info(`skipped: clients in Python are not generated: ${tools.reason}`)
const inPython = tools.ok ? test : test.skip
const bin = (name: string) => (tools.ok ? tools.bin(name) : '')

const contracts = globSync(join(root, 'openapi/*.yaml')).sort()
const named = contracts.map((file) => [basename(file, '.yaml'), file] as const)

let folder: string
let suite: Suite
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stateeval-clients-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  suite = await startSuite()
})
afterAll(async () => {
  await suite?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const run = async (file: string, ...args: string[]) => {
  const source = join(root, 'clients/python/src')
  const ours = { PYTHONPATH: source, STATEEVAL_URL: suite.urls['evaluation'], PYTHONDONTWRITEBYTECODE: '1' }
  const env = { ...process.env, ...ours, NO_COLOR: '1' }
  const { stdout } = await promisify(execFile)(file, args, { cwd: folder, env, maxBuffer: 2 ** 26 }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`${basename(file)} failed: ${error.stdout}${error.stderr}`.slice(0, 4000))
    },
  )
  return stdout
}

// It needs no package, so any Python that is new enough will do.
const python = ['python3', '/usr/bin/python3'].find(
  (name) => spawnSync(name, ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0,
)
if (python === undefined) console.info('skipped: the client for Python does not run: no Python 3.11')

;(python === undefined ? test.skip : test)(
  'the client for Python builds, evaluates and reports',
  async () => {
    const example = join(root, 'clients/python/examples/evaluate.py')
    const lines = (await run(python!, example)).trim().split('\n')
    expect(lines[0]).toMatch(/^<Report ev_\w+ of mutant: \d of \d passed \(.*\), \d not scored>$/)
    expect(lines.filter((line) => /^session-service-\w+ [01] /.test(line))).toHaveLength(6)
    expect(lines.some((line) => /^api \w+: \d+ of \d+$/.test(line))).toBe(true)
  },
)

inPython('openapi-python-client reads every contract without a warning, and its clients work', async () => {
  const config = join(import.meta.dirname, 'clients/openapi-python-client.yaml')
  await Promise.all(
    named.map(([name, file]) => {
      const output = join(folder, 'python', name.replaceAll('-', '_'))
      const options = ['--meta', 'none', '--fail-on-warning', '--config', config, '--output-path', output]
      return run(bin('openapi-python-client'), 'generate', '--path', file, ...options)
    }),
  )
  const output = await run(
    bin('python'),
    join(import.meta.dirname, 'clients/use_clients.py'),
    join(folder, 'python'),
    JSON.stringify(suite.urls),
  )
  expect(JSON.parse(output)).toEqual({
    scenarios: expect.arrayContaining(['session-service']),
    generation: 'succeeded',
    programs: 3,
    code: 3,
    translation: 'succeeded',
    result: { status: 'completed', result: 42 },
    statistics: 1,
    model: ['generated', 'http://127.0.0.1:9/v1', 204, 404],
    benchmarks: expect.any(Number),
  })
})

inPython(
  'datamodel-code-generator reads every contract, and its models take what a service answers',
  async () => {
    await Promise.all(
      named.map(([name, file]) => {
        const output = join(folder, `${name.replaceAll('-', '_')}_models.py`)
        const options = [
          '--input-file-type',
          'openapi',
          '--output-model-type',
          'pydantic_v2.BaseModel',
          '--disable-timestamp',
        ]
        return run(bin('datamodel-codegen'), '--input', file, '--output', output, ...options)
      }),
    )
    const answers = {
      RuntimeInfo: await (await fetch(`${suite.urls['execution']}/v1/runtime`)).json(),
      Problem: await (await fetch(`${suite.urls['execution']}/v1/executions/none`)).json(),
    }
    const code = `import json, execution_models as models
for name, answer in json.loads(${JSON.stringify(JSON.stringify(answers))}).items():
    print(type(getattr(models, name).model_validate(answer)).__name__)
${named.map(([name]) => `import ${name.replaceAll('-', '_')}_models`).join('\n')}`
    expect((await run(bin('python'), '-c', code)).trim().split('\n')).toEqual(['RuntimeInfo', 'Problem'])
  },
)

// Generating and compiling them takes half a minute of the processors.
const whenLong = long ? test : test.skip
whenLong('openapi-typescript reads every contract, and its types suit what a service answers', async () => {
  const package_ = (path: string) => join(root, 'node_modules', path)
  await Promise.all(
    named.map(([name, file]) =>
      run(
        process.execPath,
        package_('openapi-typescript/bin/cli.js'),
        file,
        '--default-non-nullable',
        'false',
        '-o',
        join(folder, `${name}.ts`),
      ),
    ),
  )
  cpSync(join(import.meta.dirname, 'clients/use-clients.ts.txt'), join(folder, 'use-clients.ts'))
  const compilerOptions = {
    ...{
      strict: true,
      target: 'es2024',
      module: 'nodenext',
      noEmit: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
    },
    types: ['node'],
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['use-clients.ts', ...named.map(([name]) => `${name}.ts`)] }),
  )
  await run(process.execPath, package_('typescript/bin/tsc'), '-p', folder)
  const output = await run(process.execPath, 'use-clients.ts', JSON.stringify(suite.urls))
  expect(JSON.parse(output)).toEqual({
    scenarios: expect.arrayContaining(['session-service']),
    generation: 2,
    result: { status: 'completed', result: 42 },
    model: ['http://127.0.0.1:9/v1', 204, 404, 'urn:stateeval:problem:not-found'],
    benchmarks: expect.any(Number),
  })
})
