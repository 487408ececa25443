/**
 * A judgement in sentences: each call that was not answered with its response, and how the dialogue ended,
 * with what is missing.
 */
import type { ValueDifference, ListedCall } from '@stateeval/contracts'
import { cutApart } from '@stateeval/program'
import type { ComplexTask } from './case.ts'
import type { CallDecision, EndDecision, RoundDecision } from './dialogue/decisions.ts'
import { cutForeign, longestForeign } from './dialogue/decisions.ts'

const most = 40

/** Utterances of the model: the calls of each reply that has some, and the final text. */
export interface ModelUtterances {
  calls: readonly (readonly ListedCall[])[]
  /** Calls that the final text holds, where nobody reads calls from it. */
  textCalls: () => readonly string[]
}

export const formatListedCall = ({ name, arguments: args }: ListedCall) => `${name} ${args}`

/** The texts of a golden call and of the one that was made, cut where they differ. */
export function cutPair(golden: string, made: string): { expected: string; found: string } {
  const [expected, found] = cutApart(golden, made, longestForeign)
  return { expected, found }
}

/** The golden call and the one that was made, as far as there are both. */
function formatPair(golden?: ListedCall, made?: ListedCall): Pick<ValueDifference, 'expected' | 'found'> {
  const [expected, found] = [golden, made].map((call) => call && formatListedCall(call))
  if (expected === undefined || found === undefined)
    return {
      ...(expected !== undefined && { expected: cutForeign(expected) }),
      ...(found !== undefined && { found: cutForeign(found) }),
    }
  return cutPair(expected, found)
}

export function explain(
  rounds: readonly RoundDecision[],
  end: EndDecision | undefined,
  { turns }: ComplexTask,
  spoken: ModelUtterances,
): ValueDifference[] {
  const golden = turns.flat()
  const differences = rounds.flatMap(({ calls }, round) =>
    calls.flatMap((call, at): ValueDifference[] => {
      if (call.told === 'response') return []
      const expected = call.golden === null ? undefined : golden[call.golden]
      const found = spoken.calls[round]?.[at]
      return [
        {
          where: `reply ${round + 1}, call ${at + 1}`,
          ...formatPair(expected, found),
          says: `${call.name}: ${explainDecision(call)}`,
        },
      ]
    }),
  )
  return [...differences.slice(0, most), ...(end ? explainEnd(end, turns, spoken) : [])]
}

/**
 * How a failed dialogue ended, the golden calls that were still expected, and calls that it wrote as text.
 */
function explainEnd(
  end: EndDecision,
  turns: ComplexTask['turns'],
  { textCalls }: ModelUtterances,
): ValueDifference[] {
  if (end.verdict === 'success') return []
  const stepOf = turns.flatMap((calls, step) => calls.map(() => step + 1))
  const golden = turns.flat()
  return [
    { where: 'end', says: end.message },
    ...(end.missing ?? []).slice(0, most).flatMap((id): ValueDifference[] => {
      const call = golden[id]
      return call
        ? [
            {
              where: `step ${stepOf[id]}`,
              expected: cutForeign(formatListedCall(call)),
              says: `${call.name} is missing`,
            },
          ]
        : []
    }),
    ...(end.by === 'text' ? textCalls() : []).slice(0, most).map((text) => ({
      where: 'final text',
      found: cutForeign(text),
      says: 'the final text holds this call, which is not written in the form that the layout reads',
    })),
  ]
}

function explainDecision({ error, tried = [], golden }: CallDecision): string {
  const reasons = [...(error ? [error.says] : []), ...tried]
  if (reasons.length > 0) return reasons.join('; ')
  return golden === null ? 'no open golden call is left for it' : 'it matches no golden call'
}
