/**
 * The shortest path of the calls that a model made (paper, section 2.1.2, Correction): calls that nobody
 * asked for go, and each other one moves to the first round in which its arguments are known.
 */
import { canonicalJson, type JsonValue } from '@stateeval/contracts'
import { isLookedUp } from '../disambiguate.ts'
import { type ArgumentDerivation, type GoldenCall, type CreatedSample, readValuePath } from '../sample.ts'
import { isRequested } from './requested.ts'

type CallRounds = readonly (readonly GoldenCall[])[]
interface CallNode {
  call: GoldenCall
  /** Earlier calls, by place, whose answers its arguments need, or that must come before it. */
  needs: ReadonlySet<number>
}

const isBookingChange = ({ name }: GoldenCall) => /^(Book_|Cancel_Booking)/.test(name)
/** Calls that depend on which bookings there are. */
const isBookingRead = ({ name }: GoldenCall) => /^(Cancel_Booking|Get_Bookings)/.test(name)

export function findShortestPath({
  query,
  turns,
  derivations,
}: Pick<CreatedSample, 'query' | 'turns' | 'derivations'>): CallRounds {
  const nodes = buildNodes(query, turns, derivations)
  const kept = selectRequested(nodes, query)
  const rounds: GoldenCall[][] = []
  const roundOf = new Map<number, number>()
  for (const [at, { call, needs }] of nodes.entries()) {
    if (!kept.has(at)) continue
    const round = [...needs].reduce((first, need) => Math.max(first, (roundOf.get(need) ?? -1) + 1), 0)
    roundOf.set(at, round)
    ;(rounds[round] ??= []).push(call)
  }
  return rounds
}

function buildNodes(
  query: string,
  turns: CreatedSample['turns'],
  derivations: readonly ArgumentDerivation[],
): CallNode[] {
  const first: number[] = []
  let count = 0
  for (const { calls } of turns) {
    first.push(count)
    count += calls.length
  }
  const calls = turns.flatMap((turn) => turn.calls)
  const needs = calls.map(() => new Set<number>())
  for (const { turn, call, argument, from } of derivations) {
    const at = first[turn]! + call
    const value = readValuePath(calls[at]!.arguments, argument)
    const source = from.in === 'response' ? from : findImplied(value, query, turns.slice(0, turn))
    if (source) needs[at]!.add(first[source.turn]! + source.call)
  }
  for (const [at, call] of calls.entries())
    for (const [earlier, other] of calls.slice(0, at).entries()) {
      const followsBooking = isBookingRead(call) && isBookingChange(other)
      const followsCancel = isBookingChange(call) && other.name === 'Cancel_Booking'
      if (followsBooking || followsCancel) needs[at]!.add(earlier)
    }
  return calls.map((call, at) => ({ call, needs: needs[at]! }))
}

/**
 * Finds the earlier answer with a name that the query lacks as a whole: its single words may be in the query
 * by chance, such as those of the airport where a flight lands.
 */
function findImplied(
  value: JsonValue | undefined,
  query: string,
  before: CreatedSample['turns'],
): { turn: number; call: number } | null {
  if (typeof value !== 'string' || !/\s/.test(value)) return null
  if (query.toLowerCase().includes(value.toLowerCase())) return null
  for (const [turn, { responses }] of before.entries())
    for (const [call, response] of responses.entries()) if (hasLeaf(response, value)) return { turn, call }
  return null
}

const hasLeaf = (data: JsonValue, value: string): boolean =>
  typeof data === 'object' && data !== null
    ? Object.values(data).some((one) => hasLeaf(one, value))
    : data === value

/** Removes calls whose answer no other call takes and the query does not ask for, until none is left. */
function selectRequested(nodes: readonly CallNode[], query: string): Set<number> {
  const kept = new Set(nodes.keys())
  for (;;) {
    const isTaken = (at: number) => [...kept].some((other) => nodes[other]!.needs.has(at))
    const needless = [...kept].filter((at) => {
      const { call } = nodes[at]!
      if (isTaken(at) || isBookingChange(call)) return false
      return (
        isLookedUp(call.name) ||
        !isRequested(call.name, query) ||
        [...kept].some((other) => {
          const search = nodes[other]!.call
          return isRefined(call, search) || (isTaken(other) && isRefined(search, call))
        })
      )
    })
    if (needless.length === 0) return kept
    for (const at of needless) kept.delete(at)
  }
}

/** Tells whether another call of the function has all these arguments, and more. */
const isRefined = (call: GoldenCall, other: GoldenCall): boolean =>
  call.name === other.name &&
  Object.keys(other.arguments).length > Object.keys(call.arguments).length &&
  Object.entries(call.arguments).every(
    ([name, value]) =>
      other.arguments[name] !== undefined && canonicalJson(value) === canonicalJson(other.arguments[name]),
  )
