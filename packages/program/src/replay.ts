/**
 * Long protocols as sequential code: with each event, the code runs from its beginning. Known facts are
 * replayed, and the first unknown one becomes the need. The state of an episode is therefore its list of
 * facts, at any depth of the code.
 */
import type { EpisodeEvent, JsonValue, HostNeed } from '@stateeval/contracts'

/**
 * A question of the code. `remember` turns the event into the fact, once; keep it small, because a state
 * contains all facts. The code must ask the same in the same order each time: it reads only its arguments
 * and facts.
 */
export type ReplayFact = <T extends JsonValue>(
  need: HostNeed | (() => HostNeed),
  remember: (event: EpisodeEvent) => T,
) => T

/**
 * A need that is expensive to create, such as a long prompt, is a function: it is called only if its fact
 * is missing.
 */
export const resolveNeed = (need: HostNeed | (() => HostNeed)): HostNeed =>
  typeof need === 'function' ? need() : need

/** Unwinds the code where a fact is missing. Code that catches errors must let it pass. */
class MissingFact extends Error {
  readonly need: HostNeed

  constructor(need: HostNeed) {
    super(`the fact of a need of kind ${need.kind} is not known yet`)
    this.need = need
  }
}

/**
 * Runs the code with the facts so far.
 *
 * @param memo the facts, oldest first
 * @param event the answer to the need that came last; null at the beginning
 * @returns what the code returned, or the need of the first fact that is missing; and the facts known now
 * @throws TypeError where the code did not ask for the event that was given: it is not deterministic
 */
export function run<R>(
  memo: readonly JsonValue[],
  event: EpisodeEvent | null,
  code: (fact: ReplayFact) => R,
): { memo: JsonValue[] } & ({ done: R } | { need: HostNeed }) {
  const facts = [...memo]
  let next = 0
  let waiting = event
  const fact: ReplayFact = (need, remember) => {
    if (next < facts.length) return facts[next++] as ReturnType<typeof remember>
    if (waiting === null) throw new MissingFact(resolveNeed(need))
    const value = remember(waiting)
    waiting = null
    next = facts.push(value)
    return value
  }
  try {
    const done = code(fact)
    if (waiting !== null || next < facts.length)
      throw new TypeError('the code ended before it asked for all facts that are known')
    return { memo: facts, done }
  } catch (error) {
    if (!(error instanceof MissingFact)) throw error
    if (waiting !== null)
      throw new TypeError('the code asked for different facts than before', { cause: error })
    return { memo: facts, need: error.need }
  }
}
