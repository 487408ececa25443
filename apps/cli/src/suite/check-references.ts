/** Whether the references of imported data pass here, which an import says first of all. */
import type { Report } from '@stateeval/contracts'
import { formatPlural, formatShare } from '../report/format.ts'
import { evaluateHere, type EvaluationPlace } from './evaluate-here.ts'
import { JobFailure } from './watch.ts'

interface FailingReference {
  case: string
  reason: string
}
export interface ReferenceCheck {
  passed: number
  failed: FailingReference[]
  /** Those about which this installation can't tell. */
  unchecked: FailingReference[]
}

/** Reasons that are named; the others are counted. */
const maxReasons = 5

/** Sorts the cases of a report on the references. */
export function readReferenceCheck({ run, result: { samples } }: Report): ReferenceCheck {
  const failed = new Map(run.baselineCheck?.failed.map((one) => [one.case, one.reason]))
  const check: ReferenceCheck = { passed: 0, failed: [], unchecked: [] }
  for (const { case: id, score, notScored } of samples) {
    const reason = failed.get(id)
    if (reason !== undefined) check.failed.push({ case: id, reason })
    else if (!score) check.unchecked.push({ case: id, reason: notScored ?? 'no score' })
    else if (score.passed) check.passed++
    else {
      const says = score.evidence.differences?.[0]?.says
      check.failed.push({
        case: id,
        reason: says === undefined ? score.verdict : `${score.verdict}: ${says}`,
      })
    }
  }
  return check
}

/** Groups cases by reason: `3 because …: a, b, c`. */
function formatReasons(all: readonly FailingReference[]): string[] {
  const groups = Map.groupBy(all, ({ reason }) => reason)
  const lines = [...groups]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([reason, { length, 0: first, 1: second }]) => {
      const cases = [first, second].flatMap((one) => (one ? [one.case] : [])).join(', ')
      return `  ${cases}${length > 2 ? ` and ${length - 2} more` : ''}: ${reason}`
    })
  const others = lines.length - maxReasons
  return [
    ...lines.slice(0, maxReasons),
    ...(others > 0 ? [`  and ${formatPlural(others, 'other reason')}`] : []),
  ]
}

export function formatReferenceCheck({ passed, failed, unchecked }: ReferenceCheck): string {
  const all = passed + failed.length + unchecked.length
  return [
    `${passed} of ${all} references pass here${failed.length + unchecked.length > 0 ? '.' : ', each one.'}`,
    ...(failed.length > 0
      ? [`${failed.length} fail, and evaluations leave their cases out:`, ...formatReasons(failed)]
      : []),
    ...(unchecked.length > 0
      ? [`${unchecked.length} could not be checked:`, ...formatReasons(unchecked)]
      : []),
  ].join('\n')
}

/** Why an import fails, with the remedy; null if no more references fail than are allowed. */
export function refuseReferences({ passed, failed }: ReferenceCheck, allowed: number): string | null {
  const share = failed.length === 0 ? 0 : failed.length / (passed + failed.length)
  if (share <= allowed) return null
  return `${formatShare(share)} of the references fail, and ${formatShare(allowed)} may. The set is stored, but its data or this installation are in doubt. Look at the reasons above, or accept them: --allow-failing ${Math.ceil(share * 100)}%`
}

/** Evaluates the reference with the set's default options. A set that is refused as a whole is told so. */
export async function checkReferences(place: EvaluationPlace): Promise<ReferenceCheck | string> {
  try {
    return readReferenceCheck((await evaluateHere(place, { model: 'reference' })).report)
  } catch (error) {
    if (error instanceof JobFailure && error.status === 'failed')
      return `The references could not be checked, and the set is stored: ${error.message}. --no-check leaves the check out`
    throw error
  }
}
