/**
 * A set that a seed makes, through real services over HTTP: dialogues in open sessions, and one report with
 * both judgements.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { BenchmarkResource, Message, ReportResult } from '@stateeval/contracts'
import {
  isLong,
  type CommandLine,
  type ScriptedModel,
  startCommandLine,
  startScriptedModel,
  stateeval,
} from '@stateeval/testkit'
import { callerAt } from '../../../../services/evaluation/test/over-http.ts'
import { formatSampleLine } from '../../creation/sample.ts'
import { makeSamples } from '../../creation/samples.ts'
import { makeWriter, writeFlightLine } from '../creation/writer.ts'

const samples = isLong ? 100 : 7

let line: CommandLine
let writer: ScriptedModel
const caller = callerAt(() => line.suite.urls['evaluation']!)
const make = (body: object) => caller.call<BenchmarkResource>('POST', '/v1/benchmarks/samples', body)

beforeAll(async () => {
  const write = makeWriter()
  writer = await startScriptedModel(({ messages }) => ({ say: write(messages as Message[]) }))
  line = await startCommandLine({ only: ['execution', 'scoring', 'evaluation'] })
  await caller.model('writer', { baseUrl: writer.baseUrl, model: 'writer-1' })
})
afterAll(async () => {
  await line?.stop()
  await writer?.close()
})

async function resultOf(request: object): Promise<ReportResult> {
  const { id } = await caller.begin(request)
  const { status, error } = await caller.ended(id)
  expect([status, error]).toEqual(['succeeded', undefined])
  return (await caller.report(id)).result
}

test('the same seed is the same resource; another kind and a wrong number are refused with the field', async () => {
  const [one, again] = [
    await make({ kind: 'complexfuncbench', samples: 2, seed: 3 }),
    await make({ kind: 'complexfuncbench', samples: 2, seed: 3 }),
  ]
  expect([one.status, one.body.manifest?.counts.kept]).toEqual([201, 2])
  expect(again.body.id).toBe(one.body.id)
  const other = await caller.call<{ errors?: unknown; detail: string }>('POST', '/v1/benchmarks/samples', {
    kind: 'wapiibench',
    samples: 2,
  })
  expect([other.status, other.body.detail]).toEqual([
    422,
    'there is no kind "wapiibench" whose samples a seed makes',
  ])
  expect((await make({ kind: 'complexfuncbench', samples: 0 })).status).toBe(400)
})

test(`the reference plays ${samples} dialogues in the live world; one report has both judgements`, async () => {
  const { body } = await make({ kind: 'complexfuncbench', samples, seed: 5 })
  const result = await resultOf({ benchmark: body.id, model: 'reference', policy: 'state' })
  expect(result.overall).toMatchObject({ passed: samples, scored: samples })
  for (const policy of ['published', 'sound', 'state'])
    expect(
      result.measures?.find((one) => one.policy === policy && one.group === 'all')?.values,
    ).toMatchObject({
      Samples: samples,
      Successes: samples,
    })
  expect(result.disagreements).toEqual([])
  const golden = await resultOf({ benchmark: body.id, model: 'reference', policy: 'sound' })
  expect(golden.measures?.find((one) => one.policy === 'state' && one.group === 'all')?.values).toMatchObject(
    {
      Successes: samples,
      'Goal accuracy': 1,
    },
  )
})

/** What a command prints of the reference in the live world. */
const evaluatedByState = (set: string) =>
  stateeval('evaluate', '--benchmark', set, '--model', 'reference', '--policy', 'state')

test('a command builds a set by a seed into a folder, another evaluates it in the live world', async () => {
  const out = join(line.scratch, 'seeded')
  const buildRun = await stateeval('build', '--samples', '3', '--seed', '8', '--out', out)
  expect([buildRun.code, buildRun.err]).toEqual([0, expect.not.stringContaining('Error')])
  expect(JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8'))).toMatchObject({
    kind: 'complexfuncbench',
    seed: 8,
    counts: { kept: 3 },
  })
  const evaluated = await evaluatedByState(out)
  expect(evaluated.code).toBe(0)
  expect(evaluated.out).toMatch(/published +sound +state/)
  expect(evaluated.out).toMatch(/Success rate of judged samples +100\.0 % +100\.0 % +100\.0 %/)
})

test('a command has a model write queries for functions; the set passes by its own paths, and stands without stored responses', async () => {
  const spec = join(line.scratch, 'flights.json')
  const functions = ['Search_Flight_Location', 'Search_Flights', 'Get_Flight_Details']
  await writeFile(spec, JSON.stringify({ samples: 2, functions }))
  const out = join(line.scratch, 'written')
  const buildRun = await stateeval(
    'build',
    '--kind',
    'complexfuncbench',
    '--spec',
    spec,
    '--model',
    'writer',
    '--out',
    out,
  )
  expect([buildRun.code, buildRun.err]).toEqual([0, expect.not.stringContaining('Error')])
  expect(JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8'))).toMatchObject({
    counts: { generated: 2, kept: 2 },
    statistics: [{ scenario: 'Flights', cases: 2, apis: 3 }],
  })
  const evaluated = await evaluatedByState(out)
  expect(evaluated.out).toMatch(/Success rate of judged samples +100\.0 % +100\.0 % +100\.0 %/)
  // Without a file the subsets are of all functions: this model writes about flights whatever it is asked
  // for.
  const other = await stateeval(
    'build',
    '--samples',
    '1',
    '--seed',
    '2',
    '--model',
    'writer',
    '--rounds',
    '1',
  )
  expect(other.code).not.toBe(0)
  expect(other.err + other.out).toMatch(/no task passed its checks; the first: no path/)
})

test('commands generalise samples of a file, by templates and by a model; both sets pass in the live world', async () => {
  const own = join(line.scratch, 'own.jsonl')
  const flight = makeSamples({ samples: 14, seed: 3 }).filter(({ template }) => template.id === 'Flights-1')
  const written = writeFlightLine('Lisbon', 'Oslo', 'December 9, 2024')
  await writeFile(own, [...flight.map(({ sample }) => formatSampleLine(sample)), written].join('\n'))
  const templates = join(line.scratch, 'by-templates')
  const built = await stateeval(
    ...['build', '--samples', '4', '--generalise', own, '--argument-tokens', '500', '--out', templates],
  )
  expect([built.code, built.err]).toEqual([0, expect.not.stringContaining('Error')])
  const evaluated = await evaluatedByState(templates)
  expect(evaluated.out).toMatch(/Success rate of judged samples +100\.0 % +100\.0 % +100\.0 %/)
  const model = join(line.scratch, 'by-model')
  await writeFile(own, written)
  const asked = await stateeval(
    ...['build', '--samples', '1', '--generalise', own, '--model', 'writer', '--out', model],
  )
  expect([asked.code, asked.err]).toEqual([0, expect.not.stringContaining('Error')])
  expect((await evaluatedByState(model)).out).toMatch(/Success rate of judged samples +100\.0 %/)
  const refused = await stateeval('build', '--samples', '1', '--generalise', join(line.scratch, 'no.jsonl'))
  expect([refused.code, refused.err]).toEqual([expect.any(Number), expect.stringContaining('no.jsonl')])
  expect(refused.code).not.toBe(0)
})
