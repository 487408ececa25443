/** A set that a seed makes, through real services over HTTP: dialogues in open sessions, and one report with both judgements. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { BenchmarkResource, ReportResult } from '@stateeval/contracts'
import { startSuite, type Suite } from '@stateeval/testkit'
import { callerAt } from '../../../../services/evaluation/test/over-http.ts'

const samples = process.env['STATEEVAL_LONG'] === '1' ? 100 : 7

let suite: Suite
const caller = callerAt(() => suite.urls['evaluation']!)
const make = (body: object) => caller.call<BenchmarkResource>('POST', '/v1/benchmarks/samples', body)

beforeAll(async () => {
  suite = await startSuite({ only: ['execution', 'scoring', 'evaluation'] })
  await Promise.all(Object.values(suite.services).map(({ context }) => context.bus.ready()))
}, 300_000)
afterAll(() => suite?.stop())

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
}, 600_000)
