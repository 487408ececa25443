/** A dialogue passes if the world ends as expected and the judge accepts its last answer. */
import { isDeepStrictEqual } from 'node:util'
import {
  type Candidate,
  type ValueDifference,
  type ReportResult,
  type Score,
  type ScoredSample,
  canonicalJson,
} from '@stateeval/contracts'
import type { DialogueCase } from './case.ts'
import type { Decisions } from './episode.ts'

export const verdicts = ['passed', 'wrong_state', 'wrong_answer', 'infrastructure_error'] as const

const failed = (verdict: (typeof verdicts)[number], where: string, says: string): Score => ({
  passed: false,
  verdict,
  metrics: {},
  evidence: { differences: [{ where, says }] },
})

/** Sessions without their ids, in any order. */
const contents = (items: readonly object[]) =>
  items.map((item) => canonicalJson({ ...item, id: undefined })).sort()

export function score({ case: c, candidate }: { case: DialogueCase; candidate: Candidate }): Score {
  const { said, runs } = candidate
  if (said.kind !== 'dialogue') return failed('wrong_answer', 'answer', 'there is no dialogue')
  const run = said.inputs[0]?.run
  const observation = run === null || run === undefined ? undefined : runs[run]?.observations[0]
  if (!observation?.world || observation.faults.length > 0)
    return failed('infrastructure_error', 'run', observation?.faults[0] ?? 'the world was not observed')
  const { items } = observation.world.state as { items: object[] }
  const { judged, similarity, live } = said.decisions[0] as Decisions
  const parts = {
    state: isDeepStrictEqual(contents(items), contents(c.task.expected)),
    answer: judged === 'yes',
  }
  const differences: ValueDifference[] = [
    ...(parts.state ? [] : [{ where: 'state', says: 'the sessions differ' }]),
    ...(parts.answer ? [] : [{ where: 'answer', says: `the judge says ${judged ?? 'nothing'}` }]),
  ]
  const passed = parts.state && parts.answer
  return {
    passed,
    verdict: passed ? 'passed' : parts.state ? 'wrong_answer' : 'wrong_state',
    reward: (Number(parts.state) + Number(parts.answer)) / 2,
    metrics: { similarity, live },
    evidence: { differences },
  }
}

export function aggregate(
  samples: readonly ScoredSample[],
  _: readonly DialogueCase[],
  about: Pick<ReportResult, 'digest' | 'model' | 'options'>,
): ReportResult {
  const scores = samples.flatMap(({ score: one }) => one ?? [])
  const passed = scores.filter((one) => one.passed).length
  const rate = scores.length === 0 ? null : passed / scores.length
  const counts = verdicts.map((verdict) => [verdict, scores.filter((one) => one.verdict === verdict).length])
  return {
    ...about,
    version: '1',
    overall: { passed, scored: scores.length, rate, interval: null },
    notScored: samples.length - scores.length,
    verdicts: Object.fromEntries(counts) as Record<string, number>,
    rootCauses: {},
    groups: {},
    samples: [...samples],
  }
}
