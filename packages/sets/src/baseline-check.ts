/**
 * The baseline check: whether the references of a set pass on a runtime. It runs once for each digest,
 * language and runtime, and for each set of further parties, such as judges.
 */
import {
  type BaselineCheck,
  computeContentId,
  type Language,
  type AnswerMode,
  sha256,
  type TensorProvider,
} from '@stateeval/contracts'
import { computeAnswerKey } from '@stateeval/models'
import type { BenchmarkSet } from '@stateeval/program'
import type { FixedDocuments } from '@stateeval/service-kit'
import type { EvaluationOwner } from '@stateeval/jobs'

export interface StoredBaselineCheck {
  digest: string
  /** Absent where the benchmark has no programs. */
  language?: Language
  /** How cases are answered; absent where that is the benchmark's default. */
  mode?: AnswerMode
  /** The policy whose verdicts decide; absent where the evaluation names none. */
  policy?: string
  /** How the task is put, and for which kind of model; absent where the evaluation names none. */
  setup?: string
  layout?: string
  /** Hash of who plays further parts; absent where nobody does. */
  parties?: string
  /** The provider of tensors; absent where the evaluation names none. */
  provider?: TensorProvider
  runtime: string
  cases: number
  failed: { case: string; reason: string }[]
}
export interface BaselineChecks {
  baselineChecks: FixedDocuments<StoredBaselineCheck>
}
type BaselineCheckIdentity = Omit<StoredBaselineCheck, 'cases' | 'failed'>
const computeCheckId = ({
  digest,
  language,
  mode,
  policy,
  setup,
  layout,
  parties,
  provider,
  runtime,
}: BaselineCheckIdentity) =>
  [
    `${digest}/${language ?? 'none'}/${sha256(runtime).slice(0, 16)}`,
    ...selectCombination({ mode, policy, setup, layout }),
    ...(parties === undefined ? [] : [parties]),
    ...(provider === undefined ? [] : [`provider ${provider}`]),
  ].join('/')

type CheckedCombination = Pick<StoredBaselineCheck, 'language' | 'mode' | 'policy' | 'setup' | 'layout'>
/** The options that decide whether a reference passes. */
const selectCombination = (options: CheckedCombination): string[] =>
  (['language', 'mode', 'policy', 'setup', 'layout'] as const).flatMap((name) =>
    options[name] === undefined ? [] : [`${name} ${options[name]}`],
  )

/** The subject of the check, without the runtime. Judges that answer alike count as the same. */
export function identifyCheck({
  set: { digest },
  options: { language, mode, policy, setup, layout },
  parties,
  provider,
}: EvaluationOwner): Omit<BaselineCheckIdentity, 'runtime'> {
  const who = Object.entries(parties ?? {}).map(([part, { settings }]) => [
    part,
    computeAnswerKey(settings, { messages: [] }),
  ])
  return {
    digest,
    ...(language && { language }),
    ...(mode && { mode }),
    ...(policy !== undefined && { policy }),
    ...(setup !== undefined && { setup }),
    ...(layout !== undefined && { layout }),
    ...(provider !== undefined && { provider }),
    ...(parties && { parties: computeContentId(Object.fromEntries(who)).slice(0, 16) }),
  }
}

export const storeBaselineCheck = (context: BaselineChecks, check: StoredBaselineCheck) =>
  context.baselineChecks.put(computeCheckId(check), check)
/** Stores the baseline of a set whose references have just passed, if all of them ran on one runtime. */
export async function storePassedBaseline(
  context: BaselineChecks,
  { manifest, ids }: BenchmarkSet,
  languages: readonly Language[],
  runtimes: readonly string[],
): Promise<void> {
  const [runtime, ...others] = new Set(runtimes)
  if (runtime === undefined || others.length > 0) return
  for (const language of languages)
    await storeBaselineCheck(context, {
      digest: manifest.digest,
      language,
      runtime,
      cases: ids.length,
      failed: [],
    })
}
export const findBaselineCheck = (context: BaselineChecks, about: BaselineCheckIdentity) =>
  context.baselineChecks.get(computeCheckId(about))

export const buildBaselineCheck = (
  { cases, runtime, failed }: StoredBaselineCheck,
  cached: boolean,
): BaselineCheck => ({
  status: failed.length === 0 ? 'passed' : 'failed',
  cases,
  runtime,
  failed,
  cached,
})

/** Why a case is left out of an evaluation that scores the others; undefined if it is not left out. */
export function explainLeftOut(baselineCheck: BaselineCheck | undefined, caseId: string): string | undefined {
  const failed = baselineCheck?.failed.find((one) => one.case === caseId)
  return failed && `left out: its reference does not pass here (${failed.reason})`
}

/** Why the baseline check could not finish, with a remedy. This is not a fault of the set. */
export function createUnfinishedError(
  id: string,
  cases: readonly { case: string; reason: string }[],
): string {
  const names = cases.slice(0, 3).map(({ case: name, reason }) => `${name} (${reason})`)
  const more = cases.length > names.length ? ` and ${cases.length - names.length} more` : ''
  return `the baseline check could not be finished: ${names.join(', ')}${more}; this does not concern the set. When execution and scoring are available again, resume the evaluation: POST /v1/evaluations/${id}/resume`
}

/** The error for a set whose reference answers do not pass; it names the cases. */
export function createBaselineRefusal({ cases, failed }: BaselineCheck, options: CheckedCombination): string {
  const names = failed.slice(0, 5).map(({ case: id, reason }) => `${id} (${reason})`)
  const more = failed.length > names.length ? ` and ${failed.length - names.length} more` : ''
  const combination = selectCombination(options)
  const under = combination.length === 0 ? 'here' : `here under ${combination.join(', ')}`
  return `the reference answers of ${failed.length} of ${cases} cases do not pass ${under}, so this set cannot measure a model: ${names.join(', ')}${more}; compare its versions with this installation's, or build it again`
}
