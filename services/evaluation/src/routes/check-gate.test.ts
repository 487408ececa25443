import { expect, test } from '@jest/globals'
import type { ReportResult } from '@stateeval/contracts'
import { partial } from '@stateeval/testkit/partial'
import { checkGate } from './check-gate.ts'

type Context = Parameters<typeof checkGate>[1]
const ended = { result: 'artifact' }
const set = { digest: 'd'.repeat(64), kind: 'toy', cases: 1 }
const evaluations: Record<string, object> = {
  ev_default: { id: 'ev_default', benchmark: 'bm_1', set, options: {}, ended },
  ev_sound: { id: 'ev_sound', benchmark: 'bm_1', set, options: { policy: 'sound' }, ended },
  ev_published: { id: 'ev_published', benchmark: 'bm_1', set, options: { policy: 'published' }, ended },
  ev_running: { id: 'ev_running', benchmark: 'bm_1', set, options: {}, status: 'running' },
}
const result = partial<ReportResult>({
  digest: set.digest,
  options: {},
  version: '1',
  overall: { passed: 0, scored: 0, rate: null, interval: null },
  notScored: 0,
  samples: [],
})
const context = partial<Context>({
  owners: { evaluation: (id: string) => Promise.resolve(evaluations[id] ?? null) },
  artifacts: { getJson: () => Promise.resolve(result) },
  benchmark: () => ({ policies: ['sound', 'published'] }),
})
const check = (id: string, baseline: string) =>
  checkGate(
    partial<Parameters<typeof checkGate>[0]>({ params: { id }, body: { baseline, significant: true } }),
    context,
  )

test('a baseline that another policy judged is refused; without a name the first policy is meant', async () => {
  await expect(check('ev_published', 'ev_sound')).rejects.toMatchObject({
    code: 'unprocessable',
    field: '/baseline',
    message:
      'the baseline ev_sound is judged by the policy sound, this evaluation by published; name a baseline that is judged by the same policy',
  })
  await expect(check('ev_published', 'ev_default')).rejects.toMatchObject({ code: 'unprocessable' })
  await expect(check('ev_sound', 'ev_default')).resolves.toMatchObject({
    status: 200,
    body: { passed: false, baseline: 'ev_default' },
  })
})

test('a baseline that runs is refused until it has ended', async () => {
  await expect(check('ev_default', 'ev_running')).rejects.toMatchObject({
    code: 'conflict',
    field: '/baseline',
    message:
      'the baseline cannot be used: the evaluation ev_running is still running; wait until its status is succeeded',
  })
})
