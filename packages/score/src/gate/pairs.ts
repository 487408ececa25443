/** The samples that two evaluations of a benchmark share: same case, same number, scored in both. */
import type { GateFlip, GateRequest, ReportResult, ScoredSample } from '@stateeval/contracts'
import type { CaseCount } from '../statistics/pass-at-k.ts'
import { isScored } from '../statistics/rate.ts'

/** A case with the samples that both scored. */
export interface PairedCase {
  case: string
  evaluation: CaseCount
  baseline: CaseCount
}

export interface SamplePairs {
  /** In the order of the evaluation's samples. */
  cases: PairedCase[]
  samples: number
  /** Scored samples of one of them that the other did not score. */
  unpaired: { evaluation: number; baseline: number }
  /** Samples of the evaluation without a score that count as failed. */
  failed: number
}

const formatSampleKey = ({ case: id, sample }: ScoredSample) => `${sample} ${id}`

/**
 * Pairs samples by case and number. A sample that only the evaluation scored is left out. One that only the
 * baseline scored counts as failed, or is left out as well.
 */
export function pairSamples(
  { samples: ofEvaluation }: Pick<ReportResult, 'samples'>,
  { samples: ofBaseline }: Pick<ReportResult, 'samples'>,
  { unscored }: Required<Pick<GateRequest, 'unscored'>>,
): SamplePairs {
  const passedBefore = new Map(
    ofBaseline.filter(isScored).map((one) => [formatSampleKey(one), one.score?.passed === true]),
  )
  const cases = new Map<string, PairedCase>()
  let [samples, unpaired, failed] = [0, 0, 0]
  for (const one of ofEvaluation) {
    const before = passedBefore.get(formatSampleKey(one))
    if (before === undefined || !(isScored(one) || unscored === 'failed')) {
      if (isScored(one)) unpaired++
      continue
    }
    samples++
    if (!isScored(one)) failed++
    const none = { samples: 0, passed: 0 }
    const { evaluation, baseline } = cases.get(one.case) ?? { evaluation: none, baseline: none }
    cases.set(one.case, {
      case: one.case,
      evaluation: countSample(evaluation, isScored(one) && one.score?.passed === true),
      baseline: countSample(baseline, before),
    })
  }
  const ofBoth = { evaluation: unpaired, baseline: passedBefore.size - samples }
  return { cases: [...cases.values()], samples, unpaired: ofBoth, failed }
}

const countSample = ({ samples, passed }: CaseCount, isPass: boolean): CaseCount => ({
  samples: samples + 1,
  passed: passed + (isPass ? 1 : 0),
})

/** Cases that pass less often than in the baseline, and cases that pass more often. */
export function listFlips(cases: readonly PairedCase[]): {
  regressions: GateFlip[]
  improvements: GateFlip[]
} {
  // Both have the same samples of a case, so the numbers of passes compare.
  const change = ({ evaluation, baseline }: PairedCase) => evaluation.passed - baseline.passed
  return {
    regressions: cases.filter((one) => change(one) < 0),
    improvements: cases.filter((one) => change(one) > 0),
  }
}
