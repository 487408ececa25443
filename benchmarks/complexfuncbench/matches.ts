/**
 * The golden calls by step beside the calls that were compared with them, with the stage that matched.
 */
import type { CallMatch } from '@stateeval/contracts'
import type { ComplexTask } from './case.ts'
import { cutForeign, type RoundDecision } from './dialogue/decisions.ts'
import { cutPair, formatListedCall, type ModelUtterances } from './explain.ts'

/** Rows; a dialogue has at most so many calls. */
const most = 400

export function listMatches(
  rounds: readonly RoundDecision[],
  { turns }: Pick<ComplexTask, 'turns'>,
  { calls }: Pick<ModelUtterances, 'calls'>,
): CallMatch[] {
  const made = rounds.flatMap((round, reply) =>
    round.calls.map(({ golden, how, name }, at) => {
      const written = calls[reply]?.[at]
      const row = {
        reply: reply + 1,
        found: written ? formatListedCall(written) : name,
        ...(how && { by: how }),
      }
      return { golden, row }
    }),
  )
  let id = 0
  const expected = turns.flatMap((step, turn) =>
    step.flatMap((call): CallMatch[] => {
      const place = { step: turn + 1, expected: formatListedCall(call) }
      const compared = made.filter(({ golden }) => golden === id)
      id++
      return compared.length > 0
        ? compared.map(({ row }) => ({ ...place, ...row, ...cutPair(place.expected, row.found) }))
        : [{ ...place, expected: cutForeign(place.expected) }]
    }),
  )
  return [
    ...expected,
    ...made.flatMap(({ golden, row }) => (golden === null ? [{ ...row, found: cutForeign(row.found) }] : [])),
  ].slice(0, most)
}
