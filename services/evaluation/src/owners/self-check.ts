/** The baseline check: whether the reference code of a set passes on a runtime: found out once for each manifest, language and runtime. */
import type { Language, SelfCheck } from '@stateeval/contracts'
import { sha256 } from '@stateeval/program'
import type { EvaluationContext } from '../context.ts'

export interface BaselineCheck {
  manifest: string
  language: Language
  runtime: string
  cases: number
  failed: { case: string; reason: string }[]
}
const idOf = ({ manifest, language, runtime }: Pick<BaselineCheck, 'manifest' | 'language' | 'runtime'>) =>
  `${manifest}/${language}/${sha256(runtime).slice(0, 16)}`

export const storeBaselineCheck = (
  context: Pick<EvaluationContext, 'baselineChecks'>,
  check: BaselineCheck,
) => context.baselineChecks.put(idOf(check), check)
export const baselineCheckOf = (
  context: Pick<EvaluationContext, 'baselineChecks'>,
  about: Pick<BaselineCheck, 'manifest' | 'language' | 'runtime'>,
) => context.baselineChecks.get(idOf(about))

export const selfCheckOf = ({ cases, runtime, failed }: BaselineCheck, cached: boolean): SelfCheck => ({
  status: failed.length === 0 ? 'passed' : 'failed',
  cases,
  runtime,
  failed,
  cached,
})

/** Stages of the self-check: begun anew, they have names of their own, as what an item came to stays. */
export const checkStage = (stage: 'probe' | 'check', round: number) =>
  round === 1 ? stage : `${stage}-${round}`
/** Which one a stage is, and of which round; null where it is none of them. */
export function readCheckStage(name: string): { stage: 'probe' | 'check'; round: number } | null {
  const found = /^(probe|check)(?:-(\d+))?$/.exec(name)
  return found && { stage: found[1] as 'probe' | 'check', round: Number(found[2] ?? 1) }
}

/** What kept the self-check from its end, and what to do: nothing is known against the set. */
export function unfinished(id: string, cases: readonly { case: string; reason: string }[]): string {
  const named = cases.slice(0, 3).map(({ case: name, reason }) => `${name} (${reason})`)
  const more = cases.length > named.length ? ` and ${cases.length - named.length} more` : ''
  return `the self-check could not be finished: ${named.join(', ')}${more}; that says nothing of the set. When execution and scoring are there again, resume the evaluation: POST /v1/evaluations/${id}/resume`
}

/** The refusal of a set whose truth does not pass, with the cases named. */
export function refusal({ cases, failed }: SelfCheck): string {
  const named = failed.slice(0, 5).map(({ case: id, reason }) => `${id} (${reason})`)
  const more = failed.length > named.length ? ` and ${failed.length - named.length} more` : ''
  return `the truth of ${failed.length} of ${cases} cases does not pass here, so no model can be measured with this set: ${named.join(', ')}${more}; compare its versions with this installation's, or build it anew`
}
