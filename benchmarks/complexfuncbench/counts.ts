/** Counts of one dialogue: calls, steps, errors and their correction, mappings, and parameters by type. */
import type { Task } from './case.ts'
import type { CallDecision, EndDecision, RoundDecision } from './dialogue/decisions.ts'
import { parameterType } from './functions/parameter-types.ts'
import { withoutResponse } from './match/compare.ts'
import { readJson } from './python/read.ts'
import { isDict } from './python/value.ts'

export function countsOf(rounds: readonly RoundDecision[], end: EndDecision): Record<string, number> {
  const calls = rounds.flatMap((round) => round.calls)
  const mapped = rounds.filter(({ mapping }) => mapping?.by === 'embeddings')
  const tried = (says: string) => calls.filter((call) => call.tried?.includes(says)).length
  const { errors, corrected } = correctionOf(rounds)
  return {
    correct_calls: end.correct,
    total_calls: end.total,
    steps: end.steps,
    shortest_steps: end.turns,
    completed_steps: end.successTurns,
    errors_told: errors,
    errors_corrected: corrected,
    mappings: mapped.length,
    mappings_differ: mapped.filter(({ mapping }) => mapping?.differs).length,
    response_skipped: tried(withoutResponse.absent),
    response_unrecorded: tried(withoutResponse.unrecorded),
    judge_skipped: tried('judge: none is configured'),
    matched_by_response: calls.filter(({ how }) => how === 'response').length,
    matched_by_judge: calls.filter(({ how }) => how === 'judge').length,
  }
}

/**
 * Self-correction: an error that the model was told is corrected if a later round makes the golden call right
 * that it was mapped to; or, where it was mapped to none, any call of the same function.
 */
function correctionOf(rounds: readonly RoundDecision[]): { errors: number; corrected: number } {
  const isRight = ({ how }: CallDecision) => how !== undefined
  let errors = 0
  let corrected = 0
  for (const [at, { calls }] of rounds.entries()) {
    const later = rounds.slice(at + 1).flatMap((round) => round.calls.filter(isRight))
    for (const call of calls) {
      if (call.told === 'response') continue
      errors++
      const isCorrection = ({ golden, name }: CallDecision) =>
        call.golden === null ? name === call.name : golden === call.golden
      if (later.some(isCorrection)) corrected++
    }
  }
  return { errors, corrected }
}

/** The names of the golden arguments, by the place of the call in the path. */
export const goldenParameters = ({ turns }: Task): string[][] =>
  turns.flat().map(({ arguments: text }) => {
    const args = readJson(text)
    return isDict(args) ? [...args.keys()] : []
  })

/**
 * Of each type of parameter (the paper's Fig. 5): how many golden ones were compared, and how many of them
 * were wrong.
 */
export function parameterCounts(rounds: readonly RoundDecision[], task: Task): Record<string, number> {
  const golden = goldenParameters(task)
  const counts: Record<string, number> = {}
  const add = (kind: 'compared' | 'wrong', names: readonly string[]) => {
    for (const name of names) {
      const type = parameterType(name)
      if (type === null) continue
      counts[`${kind}/${type}`] = (counts[`${kind}/${type}`] ?? 0) + 1
    }
  }
  for (const { golden: id, how, wrong, repeated } of rounds.flatMap(({ calls }) => calls)) {
    if (id === null || repeated || (!how && !wrong)) continue
    add('compared', golden[id] ?? [])
    add('wrong', how ? [] : (wrong ?? []))
  }
  return counts
}
