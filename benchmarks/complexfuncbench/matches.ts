/**
 * The golden calls by step beside the calls that were compared with them, with the stage that matched.
 */
import type { CallMatch, ListedCall } from '@stateeval/contracts'
import { cutApart } from '@stateeval/program'
import type { ComplexTask } from './case.ts'
import { cutForeign, longestForeign, type RoundDecision } from './dialogue/decisions.ts'
import type { ModelUtterances } from './explain.ts'

/** Rows; a dialogue has at most so many calls. */
const most = 400

const formatMatchedCall = ({ name, arguments: args }: ListedCall) => `${name} ${args}`
function cutPair(golden: string, made: string): Pick<CallMatch, 'expected' | 'found'> {
  const [expected, found] = cutApart(golden, made, longestForeign)
  return { expected, found }
}

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
        found: written ? formatMatchedCall(written) : name,
        ...(how && { by: how }),
      }
      return { golden, row }
    }),
  )
  let id = 0
  const expected = turns.flatMap((step, turn) =>
    step.flatMap((call): CallMatch[] => {
      const place = { step: turn + 1, expected: formatMatchedCall(call) }
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
