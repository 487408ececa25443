/**
 * A judgement in sentences: each call that was not answered with its response, and how the dialogue ended.
 */
import type { Difference } from '@stateeval/contracts'
import type { Task } from './case.ts'
import type { CallDecision, EndDecision, RoundDecision } from './dialogue/decisions.ts'
import { cut } from './dialogue/decisions.ts'

const most = 40

export function explain(
  rounds: readonly RoundDecision[],
  end: EndDecision | undefined,
  { turns }: Task,
): Difference[] {
  const golden = turns.flat()
  const differences = rounds.flatMap(({ calls }, round) =>
    calls.flatMap((call, at): Difference[] => {
      if (call.told === 'response') return []
      const expected = call.golden === null ? undefined : golden[call.golden]
      return [
        {
          where: `reply ${round + 1}, call ${at + 1}`,
          ...(expected && { expected: cut(`${expected.name} ${expected.arguments}`) }),
          says: `${call.name}: ${sentence(call)}`,
        },
      ]
    }),
  )
  return [
    ...differences.slice(0, most),
    ...(end && end.verdict !== 'success' ? [{ where: 'end', says: end.message }] : []),
  ]
}

function sentence({ error, tried = [], golden }: CallDecision): string {
  const reasons = [...(error ? [error.says] : []), ...tried]
  if (reasons.length > 0) return reasons.join('; ')
  return golden === null ? 'no golden call is left for it' : 'it matches no golden call'
}
