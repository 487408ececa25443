/**
 * What a pipeline runs: the steps of the GitHub action as shell on the real services, and with STATEEVAL_LONG
 * also the commands of docs/pipelines.md and what is refused.
 */
import { spawn } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { GateVerdict } from '@stateeval/contracts'
import { createChecker } from '@stateeval/service-kit'
import { isLong, type CommandLine, startCommandLine, stateeval } from '@stateeval/testkit'
import { parse } from 'yaml'

const whenLong = isLong ? test : test.skip
const root = join(import.meta.dirname, '..')
let commandLine: CommandLine
/** Evaluations of one benchmark of eight cases, which the folder holds. */
let [folder, reference, mutant] = ['', '', '']
beforeAll(async () => {
  commandLine = await startCommandLine()
  folder = join(commandLine.scratch, 'benchmark')
  // Its programs call functions in the sandbox, which takes less than requests to a server.
  const options = [
    '--scenario',
    'elevenlabs-mcp',
    '--programs',
    '12',
    '--keep',
    '8',
    '--out',
    folder,
    '--languages',
    'javascript',
  ]
  expect(await stateeval('build', ...options)).toMatchObject({ code: 0 })
  const evaluated = async (model: string) =>
    (await stateeval('evaluate', '--benchmark', folder, '--model', model, '--json')).value
      .evaluation as string
  reference = await evaluated('reference')
  mutant = await evaluated('mutant')
})
afterAll(() => commandLine?.stop())

interface Ran {
  code: number | null
  output: string
}
/** Runs a script as a pipeline does, beside the suite of this process. */
const bash = (script: string, cwd: string, env: Record<string, string> = {}): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
      cwd,
      env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`, ...env },
    })
    let output = ''
    child.stdout.on('data', (text) => (output += text))
    child.stderr.on('data', (text) => (output += text))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })

interface Action {
  inputs: Record<string, { default?: string; required?: boolean }>
  runs: { steps: { run: string; env: Record<string, string> }[] }
}
/** Runs the steps of the action with these inputs; what they wrote for GitHub comes with them. */
async function runAction(name: string, inputs: Record<string, string>) {
  const { inputs: declared, runs } = parse(
    await readFile(join(root, 'deploy/ci/github/action.yml'), 'utf8'),
  ) as Action
  const temp = join(commandLine.scratch, name)
  await mkdir(temp)
  const [summary, outputs] = [join(temp, 'summary'), join(temp, 'outputs')]
  for (const file of [summary, outputs]) await writeFile(file, '')
  const values: Record<string, string> = {
    'github.action_path': join(root, 'deploy/ci/github'),
    'runner.temp': temp,
    ...Object.fromEntries(
      Object.entries(declared).map(([input, { default: value = '' }]) => [
        `inputs.${input}`,
        inputs[input] ?? value,
      ]),
    ),
  }
  const filled = (text: string) => text.replaceAll(/\$\{\{ ([\w.-]+) \}\}/g, (_, of: string) => values[of]!)
  let ran: Ran = { code: null, output: '' }
  for (const { run, env } of runs.steps) {
    expect(run).not.toContain('${{')
    const variables = Object.entries(env).map(([variable, text]) => [variable, filled(text)])
    const files = { GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: outputs }
    const { code, output } = await bash(run, commandLine.scratch, {
      ...files,
      ...(Object.fromEntries(variables) as Record<string, string>),
    })
    ran = { code, output: ran.output + output }
    if (code !== 0) break
  }
  return {
    ...ran,
    summary: await readFile(summary, 'utf8'),
    outputs: await readFile(outputs, 'utf8'),
    folder: join(temp, 'stateeval'),
  }
}
const url = () => commandLine.suite.urls['evaluation']!

const rule = { 'max-regression': '2pt', significant: 'true' }
test('the action fails with 1 and a reason for each rule, in the log, the summary and an annotation', async () => {
  const inputs = { url: url(), benchmark: folder, model: 'mutant', gate: '80%', ...rule, baseline: reference }
  const { code, output, summary, outputs, folder: outFolder } = await runAction('rate', inputs)
  expect([code, output]).toEqual([1, expect.stringContaining('The gate failed.\n  failed  The pass rate of')])
  expect(output).toMatch(
    /^::error title=StateEval gate::The pass rate of \d+\.\d %25 is lower than .* 80 %25\.$/m,
  )
  expect(summary).toMatch(/^### StateEval: gate failed\n/)
  expect(summary).toMatch(
    /^- \*\*failed\*\*: The pass rate of \d+\.\d % is lower than the minimum of 80 %\.$/m,
  )
  expect(summary).toContain('#### Failed cases: ')
  expect(summary).toMatch(/That is more than the allowed drop of 2 points\. The difference is significant/)
  expect(summary).toContain('#### Worse than the baseline: ')
  expect(outputs).toMatch(/^evaluation=ev_\w+$/m)
  const { gate } = JSON.parse(await readFile(join(outFolder, 'stateeval.json'), 'utf8')) as { gate: unknown }
  expect(createChecker(GateVerdict).fault(gate)).toBeNull()
  expect(await readFile(join(outFolder, 'stateeval.xml'), 'utf8')).toContain(
    '<testcase classname="gate" name="rate"><failure type="gate" message="The pass rate of',
  )
})

test('mutants are scored again with the same result and without a run', async () => {
  const { mongo } = commandLine.suite.services['execution']!.platform
  const before = await mongo.collection('outcomes').countDocuments()
  const { code, value } = await stateeval('rescore', mutant, '--json')
  expect(code).toBe(0)
  const first = (await stateeval('report', mutant, '--json')).value as { result: object }
  expect(JSON.stringify((value as { result: object }).result)).toBe(JSON.stringify(first.result))
  expect(await mongo.collection('outcomes').countDocuments()).toBe(before)
})

test('tables come in the form that is asked for, by query, by header and by command', async () => {
  const get = async (path: string, accept?: string) =>
    fetch(`${url()}${path}`, accept === undefined ? {} : { headers: { accept } })
  const samples = `/v1/evaluations/${mutant}/export`
  const typeOf = ({ headers }: Response) => headers.get('content-type')?.split(';')[0]
  const lines = await get(samples)
  expect([typeOf(lines), (await lines.text()).trim().split('\n').length]).toEqual(['application/jsonl', 8])
  const parquet = 'application/vnd.apache.parquet'
  expect(typeOf(await get(samples, `${parquet}, text/csv;q=0.5`))).toBe(parquet)
  expect(typeOf(await get(`${samples}?format=csv`, '*/*'))).toBe('text/csv')
  expect((await get(samples, 'image/png')).status).toBe(406)
  const out = join(commandLine.scratch, 'reports.csv')
  expect(await stateeval('export', 'reports', '--format', 'csv', '--out', out)).toMatchObject({ code: 0 })
  const [head, ...rows] = (await readFile(out, 'utf8')).trim().split('\r\n')
  expect(head).toContain('evaluation,benchmark,digest')
  expect(rows.map((row) => row.split(',')[0])).toEqual(expect.arrayContaining([reference, mutant]))
  const refused = await stateeval('export', 'qwen', '--out', out)
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("qwen can't be exported")])
})

test('the rule that fails on a real drop passes on one within noise', async () => {
  const inputs = { url: url(), benchmark: folder, model: 'mutant', ...rule }
  const noise = await runAction('noise', { ...inputs, baseline: mutant, options: '--seed 2' })
  expect([noise.code, noise.summary]).toEqual([
    0,
    expect.stringMatching(/^### StateEval: gate passed\n[^]*The difference is not significant \(p = /),
  ])
})

whenLong('without a report the action fails with 2 and says what to do', async () => {
  const inputs = { url: url(), benchmark: folder, model: 'reference', baseline: 'ev_nowhere' }
  const unknown = await runAction('unknown', { ...inputs, significant: 'true' })
  expect(unknown).toMatchObject({ code: 2, summary: expect.stringContaining('there is no report') })
  expect(unknown.output).toContain(
    '--baseline ev_nowhere: there is no evaluation "ev_nowhere"; `npx stateeval list evaluations`',
  )
  expect(await runAction('rule', inputs)).toMatchObject({
    code: 2,
    output: expect.stringContaining('--baseline needs a rule: add --max-regression 2pt'),
  })
  // Nothing was evaluated, so there is not even an empty file.
  expect(await runAction('nameless', { ...inputs, benchmark: '' })).toMatchObject({
    code: 2,
    output: expect.stringContaining('STATEEVAL_BENCHMARK is not set'),
  })
  expect(await bash(join(root, 'deploy/ci/gate.sh'), commandLine.scratch)).toEqual({
    code: 2,
    output: 'STATEEVAL_BENCHMARK is not set: name the id of a benchmark, or a folder that contains one.\n',
  })
})

whenLong('a baseline of other cases is refused before the model is asked', async () => {
  const other = join(commandLine.scratch, 'other')
  const options = ['--scenario', 'session-service', '--programs', '4', '--keep', '2', '--out', other]
  await stateeval('build', ...options)
  const before = (await stateeval('list', 'evaluations', '--json')).value as unknown[]
  const gate = ['--baseline', reference, '--significant']
  const refused = await stateeval('evaluate', '--benchmark', other, '--model', 'reference', ...gate)
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringMatching(/is of another benchmark: .* Name an evaluation of this benchmark with --baseline/),
  ])
  expect((await stateeval('list', 'evaluations', '--json')).value).toHaveLength(before.length)
  expect(await stateeval('gate', reference)).toMatchObject({
    code: 2,
    err: expect.stringContaining('The gate has no threshold. Add --gate 80%'),
  })
})

whenLong('every command of the page on pipelines runs', async () => {
  const page = await readFile(join(root, 'docs/pipelines.md'), 'utf8')
  const blocks = [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block!)
  expect(blocks.length).toBeGreaterThanOrEqual(6)
  const cwd = commandLine.scratch
  // The page's commands are typed in the checkout.
  for (const name of ['deploy', 'apps', 'node_modules', 'package.json'])
    await symlink(join(root, name), join(cwd, name))
  for (const block of blocks) {
    const script = block
      .replaceAll('ev_0123456789abcdef', reference)
      .replaceAll('http://127.0.0.1:7400', url())
    expect([block, await bash(script, cwd)]).toEqual([block, { code: 0, output: expect.any(String) }])
  }
  expect(await readFile(join(cwd, 'summary.md'), 'utf8')).toContain('### StateEval: gate passed')
  const printed = (await stateeval('gate', reference, '--gate', '80%')).out
  expect(page).toContain(printed)
})
