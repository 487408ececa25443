/** An evaluation and what is stored of its items, in the memory of a test. */
import type { ModelSettings } from '@stateeval/contracts'
import { noTally, type Tally } from '../src/engine/complete.ts'
import type { EvaluationOwner } from '../src/owners/owner.ts'

export const storedEvaluation = (settings: ModelSettings, over: Partial<EvaluationOwner> = {}): EvaluationOwner => ({
  id: 'ev_1',
  kind: 'evaluation',
  status: 'running',
  stage: 'samples',
  stages: { samples: { total: 4, window: 4 } },
  createdAt: '2026-01-01T00:00:00.000Z',
  benchmark: 'bm_1',
  set: { manifest: 'm', benchmark: 'stateeval', cases: 4 },
  model: { kind: 'endpoint', name: 'mine', settings },
  options: { samples: 1, language: 'javascript' } as never,
  ...over,
})

/** The parts of a context that know how items ended: these outcomes, in order, summed up as `tally`. */
export const storedItems = (outcomes: readonly object[] = [], tally: Tally = noTally) => ({
  results: { many: async (ids: string[]) => ids.map((_, at) => ({ payload: outcomes[at] ?? {} })) },
  artifacts: { unpack: async (value: unknown) => value },
  tallies: Object.assign(async () => tally, { know() {}, many: async (ids: string[]) => ids.map(() => false) }),
  places: new Map<string, number>(),
  looked: new Map(),
  spent: new Map<string, { requests: number; promptTokens: number; completionTokens: number }>(),
})
