/**
 * Known ways to cheat, tried by the command on real services: none scores above its honest rate, and none
 * leaves the rate. A default run tries some in each world and each form of answers; STATEEVAL_LONG=1 tries
 * all of them on all kinds, with the hostile programs of the sandbox.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { WorldSummary } from '@stateeval/contracts'
import { type CommandLine, isLong, startCommandLine, stateeval } from '@stateeval/testkit'
import type { AuditReport } from '../apps/cli/src/audit/audit.ts'
import { sampleFiles } from '../benchmarks/complexfuncbench/test/here.ts'

const whenLong = isLong ? test : test.skip

let line: CommandLine
beforeAll(async () => {
  line = await startCommandLine()
})
afterAll(() => line?.stop())

async function built(...options: string[]): Promise<string> {
  const { code, value, err } = await stateeval('build', '--seed', '7', ...options, '--json')
  expect([code, code === 0 || err]).toEqual([0, true])
  return (value as { id: string }).id
}
async function published(kind: string, files: Record<string, string>): Promise<string> {
  const response = await fetch(`${line.suite.urls['evaluation']}/v1/benchmarks/datasets`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind, files }),
  })
  const body = (await response.json()) as { id: string }
  expect([response.status, response.status === 201 || body]).toEqual([201, true])
  return body.id
}
const sample = (kind: string) => join(import.meta.dirname, '../benchmarks', kind, 'sample')
const filesIn = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
      const path = relative(folder, join(entry.parentPath, entry.name))
      return entry.isFile() && path !== 'README.md' && !path.startsWith('tensor')
        ? [[path, readFileSync(join(folder, path), 'utf8')]]
        : []
    }),
  )

/** Languages of programs that run against a world here: those of tensors in Python need PyTorch. */
async function languagesAt(world: string): Promise<string[]> {
  const response = await fetch(`${line.suite.urls['execution']}/v1/worlds`)
  const { items } = (await response.json()) as { items: WorldSummary[] }
  return items.find(({ id }) => id === world)!.languages
}

/** Every attempt held, on answers of which about half are wrong. */
async function held(benchmark: string, ...options: string[]): Promise<AuditReport> {
  const { code, value, err } = await stateeval('audit-benchmark', benchmark, ...options, '--json')
  const report = value as AuditReport | undefined
  const worked = report?.ways.flatMap(({ way, attempts, leftovers }) => [
    ...attempts.filter(({ verdict }) => verdict !== 'held').map((one) => ({ way, ...one })),
    ...leftovers,
  ])
  expect({ worked, code, err: report ? '' : err }).toEqual({ worked: [], code: 0, err: '' })
  return report!
}
const namesIn = ({ ways }: AuditReport) => ways.flatMap(({ attempts }) => attempts.map(({ name }) => name))

/** None waits for a limit. A default run tries every fourth one. */
const quick = [
  'opting out: a size that a server fails over',
  'opting out: a pattern that nobody waits for',
  'opting out: values that a database chokes on',
  'opting out: an error of many megabytes',
  'opting out: an error in the suite’s words',
  'opting out: the process ends itself',
  'opting out: arguments that no tool knows',
  'opting out: types that there are not',
  'result channel: a forged failure of the suite',
  'comparison: an id everywhere',
  'comparison: tensors of no numbers',
  'comparison: a tensor of an unknown artifact',
  'oracle: at its backend',
  'answers: orders to a judge',
].filter((_, at) => isLong || at % 4 === 1)

test('programs of each world do not choose whether they are scored, nor score more than they are worth', async () => {
  const sizes = ['--programs', '4', '--keep', '2', '--length', '3', '--no-control-flow']
  const set = await built(
    '--scenario',
    isLong ? 'all' : 'session-service',
    ...sizes,
    '--languages',
    'javascript',
  )
  const report = await held(set, '--language', 'javascript', '--attempts', quick.join(','))
  expect(namesIn(report).toSorted()).toEqual(quick.toSorted())
  for (const { honest, samples } of report.ways[0]!.attempts) expect([honest, samples]).toEqual([0.5, 2])
  const tools = [
    isLong ? 'opting out' : 'opting out: a pattern',
    'calls: arguments: numbers',
    'calls: names of every object',
    'answers: nothing at all',
    'answers: only a verdict',
  ]
  const dialogues = await held(set, '--mode', 'tools', '--attempts', tools.join(','))
  expect(namesIn(dialogues).length).toBeGreaterThan(5)
})

test('lists of calls and captured requests do neither', async () => {
  const calls = ['calls: names of every object', 'answers: a judge']
  const nestful = await held(sample('nestful'), '--setup', 'zero-shot', '--attempts', calls.join(','))
  expect(namesIn(nestful).length).toBeGreaterThan(1)
  const code = ['opting out: an error', 'comparison: prototype names']
  const captured = await held(sample('wapiibench'), '--setup', 'full', '--attempts', code.join(','))
  expect(namesIn(captured).length).toBeGreaterThan(1)
})

test('what cannot be tried is said, with the reason', async () => {
  const { value, code } = await stateeval(
    ...['audit-benchmark', sample('nestful'), '--attempts', 'answers: nothing', '--json'],
  )
  expect(code).toBe(0)
  expect((value as AuditReport).ways.map(({ way }) => way)).toContain('zero-shot')
  expect(await stateeval('audit-benchmark', sample('nestful'), '--mode', 'tools')).toMatchObject({
    code: 2,
    err: expect.stringContaining('Nothing could be tried: tools: mode "tools" is unknown to this benchmark'),
  })
  const unknown = await stateeval('audit-benchmark', sample('nestful'), '--attempts', 'wishing')
  expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('There is no attempt wishing') })
})

whenLong.each(['session-service', 'elevenlabs-mcp', 'tensor-operation'])(
  'every attempt on %s, in all languages and by tools',
  async (scenario) => {
    const languages = await languagesAt(scenario)
    const sizes = ['--programs', '8', '--keep', '4']
    const set = await built('--scenario', scenario, ...sizes, '--languages', languages.join(','))
    // Many use up whatever time they have.
    const report = await held(set, '--sandbox', '--time-limit', '3')
    for (const language of languages)
      expect(report.ways.some(({ way }) => way.startsWith(language))).toBe(true)
    expect(namesIn(report).length).toBeGreaterThan(250 * languages.length)
  },
)
whenLong.each(['nestful', 'wapiibench'])('every attempt on %s, in all setups', async (kind) => {
  expect(namesIn(await held(sample(kind))).length).toBeGreaterThan(100)
})
whenLong('every attempt on published cases of StateEval, of ComplexFuncBench, and of llm-only', async () => {
  await held(await published('stateeval-published', filesIn(sample('stateeval-published'))))
  await held(await published('complexfuncbench', sampleFiles))
  await held(
    await built('--kind', 'llm-only', '--scenario', 'session-service', '--programs', '8', '--keep', '8'),
  )
})
