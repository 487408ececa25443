/**
 * Published cases as a user takes them in: import, evaluate, report, by the commands on real services and the
 * real sandbox.
 */
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type CommandLine, startCommandLine, stateeval } from '@stateeval/testkit'
import { writePublishedAnswer } from '../player.ts'

let line: CommandLine
let imported: Awaited<ReturnType<typeof stateeval>>
let id: string
const folder = () => join(line.scratch, 'cases')
beforeAll(async () => {
  line = await startCommandLine({ only: ['execution', 'scoring', 'evaluation'] })
  const sample = join(import.meta.dirname, '../sample')
  for (const part of ['session', 'voice.jsonl'])
    await cp(join(sample, part), join(folder(), part), { recursive: true })
  await addWrongTruth()
  imported = await stateeval('import', 'stateeval', folder(), '--out', join(line.scratch, 'set'), '--json')
  id = imported.value.id
})
afterAll(() => line?.stop())

/** A case whose truth nothing leaves behind, as those of a run that met what an earlier one had left. */
async function addWrongTruth() {
  const path = (name: string) => join(folder(), 'session', name)
  const text = await readFile(path('evaluator_1.json'), 'utf8')
  const value = JSON.parse(text) as { test_cases: { state_oracle: Record<string, unknown[]> }[] }
  value.test_cases[0]!.state_oracle['lab_notes||group']!.push({ id: '9', data: { title: 'Left over' } })
  await writeFile(path('evaluator_9.json'), JSON.stringify(value))
  const agents = JSON.parse(await readFile(path('agent_data/agent_data.json'), 'utf8')) as Record<
    string,
    unknown
  >
  await writeFile(path('agent_data/agent_data.json'), JSON.stringify({ ...agents, 9: agents['1'] }))
}

test('an import says which references pass; a case whose own fails is left out and says why', async () => {
  const reason = expect.stringContaining('result_error: lab_notes/group lacks the session')
  expect(imported).toMatchObject({
    code: 1,
    err: expect.stringContaining('--allow-failing 20%'),
    value: {
      kind: 'stateeval-published',
      manifest: { counts: { kept: 5 } },
      references: { passed: 4, failed: [{ case: 'session-9', reason }], unchecked: [] },
    },
  })
  expect((await stateeval('import', '--help')).out).toContain('stateeval, wapiibench')
  const evaluated = await stateeval('evaluate', '--benchmark', id, '--model', 'reference', '--json')
  expect(evaluated).toMatchObject({ value: { result: { overall: { passed: 4, scored: 4 }, notScored: 1 } } })
  const { run, result, evaluation } = evaluated.value
  expect(run.baselineCheck).toMatchObject({
    status: 'failed',
    cases: 5,
    failed: [{ case: 'session-9', reason }],
  })
  expect(result.samples.find((one: { case: string }) => one.case === 'session-9').notScored).toContain(
    'left out: its reference does not pass here (result_error: lab_notes/group lacks',
  )
  const report = await stateeval('report', evaluation)
  expect(report.out).toMatch(/Not scored: 1 of the cases\n +session-9: left out: its reference/)
  // As a folder it is the same set.
  const again = await stateeval(
    'evaluate',
    '--benchmark',
    join(line.scratch, 'set'),
    '--model',
    'reference',
    '--json',
  )
  expect(again.value.result).toEqual(result)
  expect(again.value.run.baselineCheck).toMatchObject({ cached: true })
})

test('a report shows case by case where the policies differ', async () => {
  const program = async (name: string) =>
    (
      JSON.parse(await readFile(join(folder(), 'session', name), 'utf8')) as {
        test_cases: { program: string }[]
      }
    ).test_cases[0]!.program
  const answerLines = [
    {
      case: 'session-1',
      answer: writePublishedAnswer((await program('evaluator_1.json')).replace(/RESULT = .*/, 'RESULT = {}')),
    },
    {
      case: 'session-4',
      answer: writePublishedAnswer(
        (await program('evaluator_4.json')).replace(/requests\.delete\(.*\)/, 'pass'),
      ),
    },
  ]
  const answers = join(line.scratch, 'answers.jsonl')
  await writeFile(answers, answerLines.map((one) => JSON.stringify(one)).join('\n'))
  const evaluate = (policy: string) =>
    stateeval('evaluate', '--benchmark', id, '--answers', answers, '--partial', '--policy', policy, '--json')
  const [published, sound] = [await evaluate('published'), await evaluate('sound')]
  expect(published.value.result.overall).toMatchObject({ passed: 2, scored: 2 })
  expect(sound.value.result.overall).toMatchObject({ passed: 0, scored: 2 })
  const { out } = await stateeval('report', published.value.evaluation)
  expect(out).toMatch(/Passed under this policy only +2 +0/)
  expect(out).toMatch(/session-1 +0 +passed +result error +sound: RESULT is \{\}; expected/)
  expect(out).toMatch(
    /session-4 +0 +passed +result error +sound: on the other constants, lab_notes\/group contains/,
  )
  const html = await stateeval('report', published.value.evaluation, '--format', 'html')
  const [, about] = /class="about"[^>]*>([^<]+)</.exec(html.out)!
  expect(gunzipSync(Buffer.from(about!, 'base64')).toString()).toContain('Where the policies differ')
})

test('the mutation score is shown under each policy', async () => {
  const args = ['--benchmark', id, '--model', 'mutant', '--samples', '6', '--json']
  const { value } = await stateeval('evaluate', ...args)
  const { result } = value
  expect(result.mutation.disputed).toBe(0)
  const of = (policy: string) =>
    result.measures.find(
      (one: { policy: string; group: string }) => one.policy === policy && one.group === 'all',
    ).values
  expect(of('published')['Mutants that differ']).toBe(of('sound')['Mutants that differ'])
  expect(of('published')['Mutants that differ']).toBeGreaterThan(5)
  expect(of('sound')['Mutants caught']).toBeGreaterThanOrEqual(of('published')['Mutants caught'])
  const { out } = await stateeval('report', value.evaluation)
  expect(out).toMatch(/Mutation score +\d+\.\d % +\d+\.\d %/)
})

test('mutants of tensors are scored: twenty further inputs are one request', async () => {
  const path = join(import.meta.dirname, '../sample/tensor')
  const tensors = await stateeval('import', 'stateeval', path, '--no-check', '--json')
  const args = ['--benchmark', String(tensors.value.id), '--model', 'mutant', '--samples', '2', '--json']
  const { code, err, value } = await stateeval('evaluate', ...args)
  if (code !== 0 && err.includes('torch')) return console.log(`skipped: ${err}`)
  expect([code, value.result.notScored]).toEqual([0, 0])
  const { caught, survived, equivalent } = value.result.mutation
  expect(caught + survived + equivalent).toBeGreaterThan(0)
})
