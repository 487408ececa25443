/** The samples that two evaluations of a benchmark share: same case, same number, scored in both. */
import type { GateFlip, ReportResult, ScoredSample } from '@stateeval/contracts'
import type { CaseCount } from '../statistics/pass-at-k.ts'

/** A case with the samples that both scored. */
export interface PairedCase {
  case: string
  evaluation: CaseCount
  baseline: CaseCount
}

interface Pairs {
  /** In the order of the evaluation's samples. */
  cases: PairedCase[]
  samples: number
  /** Scored samples of one of them that the other did not score. */
  unpaired: { evaluation: number; baseline: number }
}

const isScored = ({ score }: ScoredSample) => score !== null && score.verdict !== 'infrastructure_error'
const keyOf = ({ case: id, sample }: ScoredSample) => `${sample} ${id}`

/** Pairs samples by case and number; those that only one evaluation scored are left out. */
export function pairSamples(
  { samples: ofEvaluation }: Pick<ReportResult, 'samples'>,
  { samples: ofBaseline }: Pick<ReportResult, 'samples'>,
): Pairs {
  const passedBefore = new Map(
    ofBaseline.filter(isScored).map((one) => [keyOf(one), one.score?.passed === true]),
  )
  const cases = new Map<string, PairedCase>()
  let [samples, unpaired] = [0, 0]
  for (const one of ofEvaluation.filter(isScored)) {
    const before = passedBefore.get(keyOf(one))
    if (before === undefined) {
      unpaired++
      continue
    }
    samples++
    const none = { samples: 0, passed: 0 }
    const { evaluation, baseline } = cases.get(one.case) ?? { evaluation: none, baseline: none }
    cases.set(one.case, {
      case: one.case,
      evaluation: counted(evaluation, one.score?.passed === true),
      baseline: counted(baseline, before),
    })
  }
  const ofBoth = { evaluation: unpaired, baseline: passedBefore.size - samples }
  return { cases: [...cases.values()], samples, unpaired: ofBoth }
}

const counted = ({ samples, passed }: CaseCount, isPass: boolean): CaseCount => ({
  samples: samples + 1,
  passed: passed + (isPass ? 1 : 0),
})

/** Cases that pass less often than in the baseline, and cases that pass more often. */
export function flipsOf(cases: readonly PairedCase[]): { regressions: GateFlip[]; improvements: GateFlip[] } {
  // Both have the same samples of a case, so the numbers of passes compare.
  const change = ({ evaluation, baseline }: PairedCase) => evaluation.passed - baseline.passed
  return {
    regressions: cases.filter((one) => change(one) < 0),
    improvements: cases.filter((one) => change(one) > 0),
  }
}
