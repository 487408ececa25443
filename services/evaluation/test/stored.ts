/** An evaluation and what is stored of its items, in the memory of a test. */
import type { ModelSettings } from '@stateeval/contracts'
import { createLedger } from '@stateeval/models'
import { partial } from '@stateeval/testkit/partial'
import { type EvaluationOwner, noProgress, type StageProgress } from '@stateeval/jobs'

export const storedEvaluation = (
  settings: ModelSettings,
  over: Partial<EvaluationOwner> = {},
): EvaluationOwner => ({
  id: 'ev_1',
  entity: 'evaluation',
  status: 'running',
  stage: 'samples',
  stages: { samples: { total: 4, partitions: 4 } },
  createdAt: '2026-01-01T00:00:00.000Z',
  benchmark: 'bm_1',
  set: { digest: 'm', kind: 'stateeval', cases: 4 },
  model: { kind: 'endpoint', name: 'mine', settings },
  options: partial({ samples: 1, language: 'javascript' }),
  ...over,
})

/** The parts of a context that know how items ended: these outcomes, in order, with this progress. */
export const storedItems = (outcomes: readonly object[] = [], progress: StageProgress = noProgress) => ({
  engine: {
    beginStage: async () => undefined,
    sums: async () => ({ ...progress }),
    outcomes: async (_owner: unknown, _stage: string, part: (outcome: unknown) => unknown) =>
      outcomes.map(part),
  },
  ledger: createLedger(),
})
