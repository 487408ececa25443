/** How a stopped evaluation resumes, and when it cannot, with test records. */
import { expect, test } from '@jest/globals'
import type { EvaluationOptions, ModelSettings } from '@stateeval/contracts'
import type { SampleOutcome } from '@stateeval/flows'
import { partial } from '@stateeval/testkit/partial'
import type { EvaluationParts } from '../context.ts'
import { createEvaluationPlan } from '../owners/evaluation-plan.ts'
import type { BenchmarkOwner, EvaluationOwner } from '@stateeval/jobs'
import { storedEvaluation, storedItems } from '../../test/stored.ts'
import { resumeEvaluation } from './resume-evaluation.ts'

const settings: ModelSettings = { baseUrl: 'http://127.0.0.1:9/v1', model: 'misspelt' }

function world(
  over: Partial<EvaluationOwner> = {},
  {
    outcomes = [] as Partial<SampleOutcome>[],
    now = settings,
    answered = 0,
    ready = true,
    worlds = undefined as object[] | undefined,
  } = {},
) {
  let owner = storedEvaluation(settings, {
    stages: { samples: { total: 2, partitions: 2 } },
    set: { digest: 'm', kind: 'stateeval', cases: 1 },
    ...over,
  })
  const change = (more: object) => (owner = { ...owner, ...more })
  const benchmark = partial<BenchmarkOwner>({
    id: 'bm_1',
    status: 'succeeded',
    manifest: { statistics: [] },
  })
  const items = storedItems(outcomes)
  if (answered > 0)
    void items.ledger.add({ id: 'ev_1' }, { requests: answered, promptTokens: 1, completionTokens: 1 })
  const context = partial<EvaluationParts>({
    ...items,
    owners: {
      evaluation: async () => owner,
      benchmark: async () => (ready ? benchmark : null),
      end: async (_id: string, more: object) => void change(more),
      enter: async (_owner: unknown, _from: string, more: object) => change(more),
      async reopen(_id: string, more: object = {}) {
        const { error: _error, ...rest } = owner
        owner = { ...rest, ...more, status: 'running' }
        return null
      },
    },
    baselineChecks: { get: async () => null, put: async () => true },
    window: { least: 4, most: 4 },
    waits: { reason: () => null },
    send: async () => undefined,
    scenarios: [],
    sets: { case: async () => ({ world: 'w' }) },
    // What execution says of its worlds; undefined where it does not answer.
    bus: { check() {}, publishEvent: async () => undefined, ask: async () => worlds },
    models: { get: async () => ({ settings: now, updatedAt: '' }) },
    fileModels: new Map(),
    modelClient: { check: async () => null },
    quota: { begin: async () => undefined },
    benchmark: () => ({ asking: { settings: { published: () => ({ temperature: 0 }) } } }),
  })
  const resume = (body = {}) => resumeEvaluation(partial({ params: { id: 'ev_1' }, body }), context)
  return { context, resume, owner: () => owner }
}
const notScored = (passing?: true): Partial<SampleOutcome> => ({
  scored: { case: 'c1', sample: 0, score: null, notScored: 'the sample could not be scored: away' },
  ...(passing && { passing }),
  runtimes: ['r'],
})
const scored = (passed: boolean): Partial<SampleOutcome> => ({
  scored: {
    case: 'c1',
    sample: 0,
    score: {
      passed,
      verdict: passed ? 'passed' : 'result_error',
      metrics: {},
      evidence: { differences: [] },
    },
  },
  runtimes: ['r'],
})
const probing = { stage: 'probe', stages: { probe: { total: 1, partitions: 1 } } }

test('a baseline check that something kept from its end is begun anew when the evaluation goes on', async () => {
  const outcomes = [notScored(true)]
  const { context, owner, resume } = world(probing, { outcomes })
  await createEvaluationPlan(context).finished(owner(), 'probe')
  expect(owner()).toMatchObject({
    status: 'failed',
    unchecked: true,
    error: expect.stringMatching(/could not be finished: c1 .*resume the evaluation/),
  })
  expect(owner().baselineCheck).toBeUndefined()
  expect((await resume()).status).toBe(202)
  expect(owner()).toMatchObject({ status: 'running', stage: 'probe-2', stages: { 'probe-2': { total: 1 } } })
  outcomes[0] = scored(true)
  await createEvaluationPlan(context).finished(owner(), 'probe-2')
  expect(owner()).toMatchObject({ stage: 'samples', baselineCheck: { status: 'passed' } })
})

test('of all cases, too: one that was not scored for a fault in passing stops, one that failed refuses for good', async () => {
  const checking = {
    stage: 'check',
    stages: { ...probing.stages, check: { total: 2, partitions: 2 } },
    set: { digest: 'm', kind: 'stateeval', cases: 3 },
  }
  const stopped = world(checking, { outcomes: [scored(true), notScored(true)] })
  await createEvaluationPlan(stopped.context).finished(stopped.owner(), 'check')
  expect(stopped.owner()).toMatchObject({ status: 'failed', unchecked: true })
  await stopped.resume()
  expect(stopped.owner()).toMatchObject({ status: 'running', stage: 'probe-2' })
  for (const lasting of [scored(false), notScored()]) {
    const refused = world(checking, { outcomes: [lasting, notScored(true)] })
    await createEvaluationPlan(refused.context).finished(refused.owner(), 'check')
    expect(refused.owner()).toMatchObject({
      status: 'failed',
      baselineCheck: { status: 'failed', failed: [{ case: 'c1' }] },
    })
    await expect(refused.resume()).rejects.toMatchObject({ code: 'conflict' })
  }
})

test('it goes on with its model’s settings of now, unless it has answers of others', async () => {
  const now = { ...settings, model: 'right' }
  const used = async (one: ReturnType<typeof world>) => {
    await one.resume()
    return (one.owner().model as { settings: ModelSettings }).settings
  }
  const failed = { status: 'failed' } as const
  expect(await used(world(failed, { now }))).toEqual(now)
  expect(await used(world(failed, { now, answered: 3 }))).toEqual(settings)
  const cheaper = { ...settings, concurrency: 1, keyEnv: 'STATEEVAL_KEY_NEW' }
  expect(await used(world(failed, { now: cheaper, answered: 3 }))).toEqual(cheaper)
  // The evaluation's own generation settings are no change of the model.
  const options = partial<EvaluationOptions>({
    samples: 1,
    language: 'javascript',
    settings: 'published',
  })
  const currentSettings = { ...settings, parameters: { temperature: 0 } }
  const model = { kind: 'endpoint', name: 'mine', settings: currentSettings } as const
  expect(
    await used(
      world(
        { ...failed, options, model },
        { now: { ...cheaper, parameters: { temperature: 1 } }, answered: 3 },
      ),
    ),
  ).toEqual({
    ...cheaper,
    parameters: { temperature: 0 },
  })
  const recorded = { kind: 'endpoint', name: 'mine', settings, recording: 'rec_1' } as const
  expect(await used(world({ ...failed, model: recorded }, { now }))).toEqual(settings)
})

test('without its benchmark it stays stopped, and says why', async () => {
  const { resume, owner } = world({ status: 'failed', error: 'down' }, { ready: false })
  await expect(resume()).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('benchmark bm_1 was deleted'),
  })
  expect(owner()).toMatchObject({ status: 'failed', error: 'down' })
})

test('a language that cannot run now is refused with the remedy, and nothing is resumed', async () => {
  const stopped = { status: 'failed' as const, error: 'it could not be finished' }
  const missing = [{ id: 'w', languages: ['python'], unavailable: { javascript: 'install it' } }]
  const { resume, owner } = world(stopped, { worlds: missing })
  await expect(resume()).rejects.toMatchObject({
    code: 'unprocessable',
    message: expect.stringContaining('install it'),
  })
  expect(owner().status).toBe('failed')
})
