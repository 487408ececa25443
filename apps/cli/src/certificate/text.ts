/** A certificate as text for a terminal. */
import type { Certificate } from '@stateeval/contracts'
import { rateCounts } from '@stateeval/program/format'
import { formatPlural, formatRate } from '../report/format.ts'

const list = (names: readonly string[], most = 5) =>
  [...names.slice(0, most), ...(names.length > most ? [`${names.length - most} more`] : [])].join(', ')

/** Mutants without a score count in the bracket alone, as in reports. */
const formatMutationScore = ({
  score,
  caught,
  survived,
  notScored,
}: NonNullable<Certificate['statement']['mutation']>) =>
  formatRate({ ...rateCounts({ scored: caught + survived, passed: caught, notScored }), rate: score })

/** Returns text without a final line break. */
export function formatCertificate({ statement, signature }: Certificate): string {
  const { benchmark, replay, mutation, roundTrip, failedByAll, madeAt, version } = statement
  return [
    `Benchmark ${benchmark.digest} (${benchmark.kind}), certified at ${madeAt} with scoring ${version}`,
    ...replay.map(
      ({ options: { language }, passed, cases }) =>
        `Replay${language ? `, ${language}` : ''}: ${passed} of ${formatPlural(cases, 'case')} passed`,
    ),
    mutation
      ? `Mutation score: ${formatMutationScore(mutation)} (${mutation.caught} caught, ${mutation.survived} survived, ${mutation.equivalent} equivalent, ${mutation.disputed} disputed)`
      : 'Mutation score: this kind has no mutants',
    roundTrip
      ? `Round trip: ${roundTrip.verified} of ${formatPlural(roundTrip.cases, 'instruction')} verified`
      : 'Round trip: this kind has no programs',
    failedByAll.models.length === 0
      ? 'Failed by every model: no model was evaluated'
      : `Failed by every model (${list(failedByAll.models.map(({ model }) => model))}): ${list(failedByAll.cases) || 'no case'}`,
    `Signed by the key ${signature.keyId}`,
  ].join('\n')
}
