/** What follows the stages of an evaluation. */
import { expect, test } from '@jest/globals'
import { partial } from '@stateeval/testkit/partial'
import { storedEvaluation, storedItems } from '../../test/stored.ts'
import type { EvaluationParts } from '../context.ts'
import { createEvaluationPlan } from './evaluation-plan.ts'
import { modelProbeStage } from '@stateeval/jobs'

const usage = { requests: 3, promptTokens: 30, completionTokens: 6 }

test('without a baseline check, the model is probed before its samples all the same', async () => {
  const stage = modelProbeStage
  const owner = storedEvaluation(
    {
      baseUrl: 'http://127.0.0.1:9/v1',
      model: 'x',
      prices: { promptPerMillion: 1, completionPerMillion: 1 },
    },
    { stage, stages: { [stage]: { total: 0, partitions: 1 } }, probesFirst: true },
  )
  const entered: object[] = []
  const probed: string[] = []
  const context = partial<EvaluationParts>({
    ...storedItems(),
    owners: {
      get: async () => owner,
      enter: async (_owner: unknown, _from: string, change: object) => {
        entered.push(change)
        return null
      },
    },
    probes: { create: async () => true, replace: async () => undefined },
    probe: async (_account: unknown, { name }: { name: string }) => {
      probed.push(name)
      return { ok: true, findings: [], usage }
    },
    modelClient: { takeFindings: () => undefined },
    window: { least: 4, most: 4 },
    now: () => new Date(0),
  })
  await createEvaluationPlan(context).finished(owner, stage)
  expect(probed).toEqual(['mine'])
  expect(entered).toEqual([
    {
      stage: 'samples',
      stages: expect.objectContaining({ samples: expect.objectContaining({ total: 4 }) }),
      probed: { status: 'done', usage },
    },
  ])
})
