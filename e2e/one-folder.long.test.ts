/**
 * A scenario and a benchmark are added by a folder and a line: in a copy of this checkout, by nothing else,
 * every service and command knows them, from build or import to the report.
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  checkConditions,
  checkDocumentation,
  type Scenario,
  checkSolvedCalls,
  checkRepeatedStarts,
} from '@stateeval/program'
import { addMember, copyCheckout, runScript } from './one-folder/checkout.ts'

const fixtures = join(import.meta.dirname, 'fixtures/one-folder')
let scratch: string
let checkout: string
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'stateeval-one-folder-'))
  checkout = join(scratch, 'checkout')
  const { NODE_OPTIONS: _, STATEEVAL_NAMESPACE: _n, ...environment } = process.env
  env = { ...environment, STATEEVAL_HOME: join(scratch, 'home'), LOG_LEVEL: 'warn' }
  await mkdir(checkout)
  await copyCheckout(checkout)
  await addMember(checkout, 'scenarios', join(fixtures, 'scenarios/library-desk'))
  await addMember(checkout, 'benchmarks', join(fixtures, 'benchmarks/call-order'))
  const started = await stateeval('up')
  expect(started).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await stateeval('down')
  await rm(scratch, { recursive: true, force: true })
})

/** A command of the copy; with --json among it, `value` is what was printed. */
async function stateeval(...args: string[]) {
  const ran = await runScript(checkout, 'apps/cli/src/main.ts', args, env)
  return { ...ran, value: args.includes('--json') && ran.code !== 2 ? JSON.parse(ran.out) : undefined }
}

test('the scenario keeps the laws', async () => {
  const file = join(fixtures, 'scenarios/library-desk/index.ts')
  const { default: scenario } = (await import(file)) as { default: Scenario }
  checkDocumentation(scenario, ['javascript', 'python'])
  for (let seed = 0; seed < 20; seed++)
    for (const law of [checkSolvedCalls, checkRepeatedStarts, checkConditions]) law(scenario, seed)
})

test('import directions and purity hold with both', async () => {
  expect(await runScript(checkout, 'scripts/check-layers.ts', [], env)).toMatchObject({
    code: 0,
    out: 'Import directions, purity and names hold.\n',
  })
})

test('programs of the scenario become a set, which the reference passes', async () => {
  const folder = join(scratch, 'desk')
  const buildRun = await stateeval(
    ...['build', '--scenario', 'library-desk', '--programs', '6', '--keep', '4', '--no-control-flow'],
    ...['--out', folder, '--json'],
  )
  expect(buildRun).toMatchObject({ code: 0, value: { manifest: { counts: { generated: 6, kept: 4 } } } })
  const evaluated = await stateeval('evaluate', '--benchmark', folder, '--model', 'reference', '--json')
  expect(evaluated).toMatchObject({
    code: 0,
    value: { run: { kind: 'stateeval' }, result: { overall: { passed: 4, scored: 4 }, notScored: 0 } },
  })
  const report = await stateeval('report', evaluated.value.evaluation)
  expect(report.out).toMatch(/all +4\/4 +100\.0 %/)
  expect(report.out).toMatch(/API: borrow_book/i)
})

// Both together need nothing that one of the other tests does not.
const whenLong = process.env['STATEEVAL_LONG'] === '1' ? test : test.skip
whenLong('programs of the scenario become a set of the benchmark, too', async () => {
  const build = ['build', '--kind', 'call-order', '--scenario', 'library-desk', '--no-control-flow']
  const buildRun = await stateeval(...build, '--programs', '4', '--keep', '2', '--json')
  expect(buildRun).toMatchObject({
    code: 0,
    value: { kind: 'call-order', manifest: { kind: 'call-order', counts: { kept: 2 } } },
  })
  const evaluated = await stateeval(
    'evaluate',
    '--benchmark',
    buildRun.value.id,
    '--model',
    'reference',
    '--json',
  )
  expect(evaluated.value.result.overall).toMatchObject({ passed: 2, scored: 2 })
  const unknown = await stateeval('build', '--kind', 'chess', '--scenario', 'library-desk')
  expect(unknown).toMatchObject({ code: 2, err: expect.stringMatching(/available: stateeval, .*call-order/) })
})

test('published data of the benchmark are imported, answered and reported with its own section', async () => {
  const data = join(scratch, 'call-order')
  await cp(join(fixtures, 'data'), data, { recursive: true })
  expect((await stateeval('import', '--help')).out).toContain('call-order')
  const imported = await stateeval('import', 'call-order', data, '--no-check', '--json')
  expect(imported).toMatchObject({ code: 0, value: { kind: 'call-order' } })
  const { id } = imported.value
  const evaluated = await stateeval('evaluate', '--benchmark', id, '--model', 'reference', '--json')
  expect(evaluated.value).toMatchObject({
    run: { kind: 'call-order' },
    result: { overall: { passed: 2, scored: 2 } },
  })
  const answers = join(scratch, 'answers.jsonl')
  const answer = (at: number, text: string) => JSON.stringify({ case: `desk-${at}`, answer: text })
  await writeFile(
    answers,
    [answer(0, 'borrow_book\nreturn_book'), answer(1, 'return_book\ncount_copies')].join('\n'),
  )
  const evaluation = await stateeval('evaluate', '--benchmark', id, '--answers', answers, '--json')
  expect(evaluation.value.result).toMatchObject({
    overall: { passed: 1, scored: 2 },
    verdicts: { passed: 1, wrong_order: 1 },
  })
  const { out } = await stateeval('report', evaluation.value.evaluation)
  expect(out).toMatch(/call order +share/)
  expect(out).toMatch(/Calls in place +0\.75/)
  // What it says of failures, in its own words, in every form.
  expect(out).toMatch(/first wrong call +failed +missing_call +other_order *\n .+ 1 +[01] +[01]/)
  const csv = await stateeval('report', evaluation.value.evaluation, '--format', 'csv')
  expect(csv.out).toContain('root_cause')
  expect(csv.out).toMatch(/wrong_order,false,,(missing_call|other_order),/)
  const compared = await stateeval('compare', evaluated.value.evaluation, evaluation.value.evaluation)
  expect(compared.out).toMatch(/model +first wrong call +missing_call +other_order/)
})
