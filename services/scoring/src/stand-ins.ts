/**
 * A stand-in, scored in the place of a candidate over which scoring fails. A case that can be scored without
 * the candidate shows that the failure is the candidate's doing.
 */
import type { Candidate, Observation, Score } from '@stateeval/contracts'

const hasOwnFault = ({ ending, faults }: Observation) =>
  ending.status === 'infrastructure' || faults.length > 0

/** The same answer, whose runs left nothing. */
const removeRuns = (candidate: Candidate, detail: string): Candidate => ({
  ...candidate,
  runs: candidate.runs.map((run) => ({
    ...run,
    observations: run.observations.map((observation) =>
      hasOwnFault(observation)
        ? observation
        : {
            ending: { status: 'killed', by: 'result', detail },
            ...{ world: null, log: [], output: '', faults: [] },
            ...{ wallMs: observation.wallMs, sandbox: observation.sandbox },
          },
    ),
  })),
})

/** Every benchmark scores it as a failure. */
export const noAnswer: Candidate = {
  said: { kind: 'program', attempts: [] },
  transcripts: [],
  runs: [],
  consultations: [],
}

/** The first keeps most of the candidate. */
export const listStandIns = (candidate: Candidate, says: string): Candidate[] => [
  removeRuns(candidate, says),
  noAnswer,
]

/** The score of a stand-in as that of the candidate; null where it says nothing of one. */
export const toCandidateScore = (score: Score, says: string): Score | null =>
  score.passed || score.verdict === 'infrastructure_error'
    ? null
    : {
        ...score,
        evidence: {
          ...score.evidence,
          differences: [{ where: 'answer', says }, ...score.evidence.differences].slice(0, 10),
        },
      }
