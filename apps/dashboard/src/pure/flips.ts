/** Cases that an evaluation passes more or less often than its baseline, from rows of their samples. */
import type { SampleRow } from '@stateeval/contracts'
import { type BracketedRate, rateCounts } from '@stateeval/program/format'

export interface CaseFlip {
  case: string
  /** Shares of the case’s scored samples that passed. */
  a: BracketedRate
  b: BracketedRate
  /** A sample of it in each. */
  placeA: number
  placeB: number
}

/**
 * Flips by case, from rows that are sorted by place and have the baseline’s shares. `samplesA` and `samplesB`
 * are the samples per case in the baseline and in the evaluation. If more rows follow, an incomplete last
 * case is left out.
 */
export function groupFlips(
  rows: readonly SampleRow[],
  { samplesA, samplesB, more }: { samplesA: number; samplesB: number; more: boolean },
): CaseFlip[] {
  const byCase = [...Map.groupBy(rows, ({ place }) => Math.floor(place / samplesB))]
  if (more && (byCase.at(-1)?.[1].length ?? 0) < samplesB) byCase.pop()
  return byCase.flatMap(([at, ofCase]) => {
    const scored = ofCase.filter(({ passed }) => passed !== null)
    const first = scored.find(({ passed }) => !passed) ?? scored[0]
    if (!first || first.baseline === undefined || first.baseline === null) return []
    return [
      {
        case: first.case,
        a: {
          rate: first.baseline,
          ...(first.baselineBracket && { bracket: first.baselineBracket }),
        },
        b: rateCounts({
          passed: scored.filter(({ passed }) => passed).length,
          scored: scored.length,
          notScored: ofCase.length - scored.length,
        }),
        placeA: at * samplesA,
        placeB: first.place,
      },
    ]
  })
}
