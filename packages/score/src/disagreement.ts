/** Samples that the policies of a benchmark judge differently. */
import type { Disagreement, ScoredSample } from '@stateeval/contracts'

/** What each policy says of a sample, in the order of the policies. */
export type Statements = readonly { policy: string; says: readonly string[] }[]

const maxStatements = 6

/** What one policy says and no other does, six sentences at most. */
export const onlyOneSays = (statements: Statements): string[] =>
  statements
    .flatMap(({ policy, says }, at) =>
      says
        .filter((one) => !statements.some((other, n) => n !== at && other.says.includes(one)))
        .map((one) => `${policy}: ${one}`),
    )
    .slice(0, maxStatements)

/**
 * The sample with its verdicts, where they differ; none where they are the same. `why` chooses sentences that
 * explain the difference, by default those that one policy alone says.
 */
export function disagreements(
  samples: readonly ScoredSample[],
  why: (statements: Statements) => string[] = onlyOneSays,
): Disagreement[] {
  return samples.flatMap(({ case: id, sample, score }) => {
    const judgements = Object.entries(score?.policies ?? {})
    if (new Set(judgements.map(([, { verdict }]) => verdict)).size < 2) return []
    const statements = judgements.map(([policy, { differences }]) => ({
      policy,
      says: differences.map(({ says }) => says),
    }))
    const verdicts = Object.fromEntries(judgements.map(([policy, { verdict }]) => [policy, verdict]))
    return [{ case: id, sample, verdicts, why: why(statements) }]
  })
}
