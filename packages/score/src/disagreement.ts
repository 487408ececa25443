/** Samples on which the policies of a benchmark disagree. */
import type { Disagreement, ScoredSample } from '@stateeval/contracts'

/** Each policy's statements about a sample, in the order of the policies. */
export type PolicyStatements = readonly { policy: string; says: readonly string[] }[]

const maxStatements = 6

/** Statements that only one policy makes, at most six sentences. */
const listUniqueStatements = (statements: PolicyStatements): string[] =>
  statements
    .flatMap(({ policy, says }, at) =>
      says
        .filter((one) => !statements.some((other, n) => n !== at && other.says.includes(one)))
        .map((one) => `${policy}: ${one}`),
    )
    .slice(0, maxStatements)

/**
 * The sample with its verdicts if they differ; otherwise none. `why` chooses sentences that explain the
 * difference; by default, those of a single policy.
 */
export function listDisagreements(
  samples: readonly ScoredSample[],
  why: (statements: PolicyStatements) => string[] = listUniqueStatements,
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
