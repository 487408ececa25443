/** Counts of one dialogue: calls, steps, errors and their correction, mappings, and parameters by type. */
import type { ComplexTask } from './case.ts'
import type { CallDecision, EndDecision, RoundDecision } from './dialogue/decisions.ts'
import { getParameterType } from './functions/parameter-types.ts'
import { isNotJudged } from './dialogue/decisions.ts'
import { withoutJudgement, withoutResponse } from './match/compare.ts'
import { readJson } from './python/read.ts'
import { isDict } from './python/value.ts'

export function countDecisions(rounds: readonly RoundDecision[], end: EndDecision): Record<string, number> {
  const calls = rounds.flatMap((round) => round.calls)
  const mapped = rounds.filter(({ mapping }) => mapping?.by === 'embeddings')
  const tried = (says: string) =>
    calls.filter((call) => call.tried?.some((one) => one.startsWith(says))).length
  const { errors, corrected } = measureCorrection(rounds)
  return {
    correct_calls: end.correct,
    total_calls: end.total,
    steps: end.steps,
    shortest_steps: end.turns,
    completed_steps: end.successTurns,
    ended_by_text: end.by === 'text' ? 1 : 0,
    errors_told: errors,
    errors_corrected: corrected,
    mappings: mapped.length,
    mappings_differ: mapped.filter(({ mapping }) => mapping?.differs).length,
    mappings_fallback: rounds.filter(({ mapping }) => mapping?.because !== undefined).length,
    response_skipped: tried(withoutResponse.absent),
    response_unrecorded: tried(withoutResponse.unrecorded),
    judge_skipped: tried(withoutJudgement.absent),
    judge_unread: tried(withoutJudgement.unread),
    texts_not_judged: [end.completeness, end.correctness].filter(isNotJudged).length,
    matched_by_response: calls.filter(({ how }) => how === 'response').length,
    matched_by_judge: calls.filter(({ how }) => how === 'judge').length,
  }
}

/**
 * Self-correction: an error that the model was told is corrected if a later round makes the golden call right
 * that it was mapped to; or, where it was mapped to none, any call of the same function.
 */
function measureCorrection(rounds: readonly RoundDecision[]): { errors: number; corrected: number } {
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
const listGoldenParameters = ({ turns }: ComplexTask): string[][] =>
  turns.flat().map(({ arguments: text }) => {
    const args = readJson(text)
    return isDict(args) ? [...args.keys()] : []
  })

/**
 * Counts for each type of parameter (the paper's Fig. 5): how many golden ones were compared, and how many of
 * them were wrong. `compared` and `wrong` count a parameter of a golden call once, however often a dialogue
 * comes back to it, and it is wrong if any of its comparisons has it wrong: a loop would be the figure
 * otherwise. `comparisons` and `wrong_comparisons` count each comparison.
 */
export function countParameters(rounds: readonly RoundDecision[], task: ComplexTask): Record<string, number> {
  const golden = listGoldenParameters(task)
  const counts: Record<string, number> = {}
  const counted = new Set<string>()
  const add = (kind: string, name: string) => {
    const type = getParameterType(name)
    if (type !== null) counts[`${kind}/${type}`] = (counts[`${kind}/${type}`] ?? 0) + 1
  }
  const addOnce = (kind: string, id: number, name: string) => {
    const key = `${kind} ${id} ${name}`
    if (!counted.has(key)) add(kind, name)
    counted.add(key)
  }
  for (const { golden: id, how, wrong, repeated } of rounds.flatMap(({ calls }) => calls)) {
    if (id === null || repeated || (!how && !wrong)) continue
    for (const name of golden[id] ?? []) {
      add('comparisons', name)
      addOnce('compared', id, name)
    }
    for (const name of how ? [] : (wrong ?? [])) {
      add('wrong_comparisons', name)
      addOnce('wrong', id, name)
    }
  }
  return counts
}
