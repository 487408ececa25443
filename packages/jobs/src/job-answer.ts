/** The outcome of a job in the form that items expect. */
import type { JobOutcome } from '@stateeval/contracts'
import type { ProjectArtifacts } from '@stateeval/service-kit'
import type { ItemAnswer } from '@stateeval/workflow'

export const readJobAnswer = async (
  { artifacts }: { artifacts: ProjectArtifacts },
  outcome: JobOutcome,
): Promise<ItemAnswer> =>
  outcome.status === 'done'
    ? { ok: true, value: await artifacts.unpack(outcome.value) }
    : { ok: false, refused: outcome.status === 'refused', reason: outcome.reason }
