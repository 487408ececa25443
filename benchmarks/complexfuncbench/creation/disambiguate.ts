/**
 * Makes a sample unambiguous (paper, section 2.1.2): drops entries of responses that could be meant as well,
 * and functions that do what another one does; keeps it only if every golden argument then follows.
 */
import type { JsonValue, JsonObject } from '@stateeval/contracts'
import type { TravelFunction } from '../travel/function.ts'
import { findFunction, travelFunctions } from '../travel/functions.ts'
import {
  ask,
  listHeard,
  createHeard,
  type HiddenEntries,
  openTravel,
  type TravelState,
  type TravelWorld,
} from '../travel/world.ts'
import { shortenTokens } from '../travel/token.ts'
import { derive, findEntry, isPlaceFinder, isHandle } from './derive.ts'
import type { ArgumentDerivation, DialogueEnds, CreatedSample, SampleTurn, WalkedSample } from './sample.ts'

/** A path is walked again for each list that lost entries. */
const maxRounds = 40

/**
 * @param walkIn the sample in a world that hides these entries; a value that says why it can't be walked
 *   there
 */
export function disambiguateSample(
  walkIn: (hidden: readonly HiddenEntries[]) => WalkedSample | { fault: string },
): { sample: CreatedSample } | { fault: string } {
  let hidden: readonly HiddenEntries[] = []
  for (let round = 0; round < maxRounds; round++) {
    const walked = walkIn(hidden)
    if ('fault' in walked) return walked
    const derived = derive(walked.query, walked.turns)
    if (!('fault' in derived)) return { sample: completeSample(walked, derived.derivations) }
    const { turn, call, argument, says, rivals } = derived.fault
    if (!rivals || rivals.ids.length === 0)
      return { fault: `turn ${turn + 1}, call ${call + 1}, ${argument}: ${says}` }
    hidden = [...hidden, rivals]
  }
  return { fault: `more than ${maxRounds} lists have rival entries` }
}

function completeSample(walked: WalkedSample, derivations: readonly ArgumentDerivation[]): CreatedSample {
  return {
    ...walked,
    derivations,
    functions: chooseFunctions(walked, derivations),
    left: collectPathEnds(walked, derivations),
  }
}

/**
 * Collects the result of a golden path: bookings; answers from which no later call takes an id or a token;
 * and of the others the entry that it takes, such as the cheapest hotel with its price. Whichever search and
 * order found that entry doesn't count. Places, filters and orders are only looked up to be asked with:
 * nobody asked for them.
 */
function collectPathEnds(
  { world, turns }: WalkedSample,
  derivations: readonly ArgumentDerivation[],
): DialogueEnds {
  const pathsByCall = listTakenPlaces(turns, derivations)
  let state: TravelState = openTravel(world)
  const heard = turns.flatMap(({ calls, responses }, turn) =>
    calls.flatMap(({ name, arguments: args }, call) => {
      const fn = findFunction(name)!
      state = ask(state, name, args).state
      const paths = pathsByCall.get(`${turn}/${call}`)
      if (isBooking(fn)) return []
      if (!paths) return [listHeard(world, fn, args)[0]!]
      if (isLookedUp(name)) return []
      const entries = paths.flatMap((path) => findEntry(name, responses[call]!['data']!, path) ?? [])
      return [...new Set(entries)].map((entry) => createHeard(fn, shortenTokens(world, entry)))
    }),
  )
  const bookings = state.bookings.map(({ kind, status, details }) => ({ kind, status, details }))
  return { heard, bookings }
}

/** Places, filters and orders. */
export const isLookedUp = (name: string) =>
  isPlaceFinder(name) || /^Get_(Filter|Sort_By)$|_Sort_Option$/.test(name)

/** Finds where ids and tokens of later calls stand, by the place of the call that answered with them. */
function listTakenPlaces(
  turns: readonly SampleTurn[],
  derivations: readonly ArgumentDerivation[],
): Map<string, string[]> {
  const pathsByCall = new Map<string, string[]>()
  for (const { turn, call, argument, from } of derivations) {
    const { name } = turns[turn]!.calls[call]!
    if (from.in !== 'response' || !isHandle({ name, argument })) continue
    const key = `${from.turn}/${from.call}`
    pathsByCall.set(key, [...(pathsByCall.get(key) ?? []), from.path])
  }
  return pathsByCall
}

const isBooking = ({ name }: TravelFunction) => /^(Book_|Cancel_Booking|Get_Bookings)/.test(name)

/** Domains by the functions that belong to them: a sample offers those of the domains that its path uses. */
const domains: readonly RegExp[] = [
  /Hotel|Room|Property|Payment|Question|Nearby|Popular|^Get_Filter|^Get_Sort_By|Description|Lat_Long/,
  /Flight|Min_Price|Seat_Map/,
  /Car|Vehicle|Packages|Booking_Summary/,
  /Attraction|^Get_Availability/,
  /Taxi/,
]
/** Pairs of which one does what the other does; the path decides which of them stays. */
const twins: readonly (readonly [string, string])[] = [
  ['Get_Room_List', 'Get_Room_List_With_Availability'],
  ['Search_Flights', 'Search_Flights_Multi_Stops'],
  ['Get_Min_Price', 'Get_Min_Price_Multi_Stops'],
  ['Search_Hotels', 'Search_Hotels_By_Coordinates'],
]

function chooseFunctions(
  { world, turns }: WalkedSample,
  derivations: readonly ArgumentDerivation[],
): string[] {
  const used = new Set(turns.flatMap(({ calls }) => calls.map(({ name }) => name)))
  const usedDomains = domains.filter((domain) => [...used].some((name) => domain.test(name)))
  return travelFunctions
    .filter(({ name }) => used.has(name) || usedDomains.some((domain) => domain.test(name)))
    .filter(
      (fn) =>
        used.has(fn.name) ||
        !(isBooking(fn) || isOverlappingFunction(fn, { world, turns, derivations, used })),
    )
    .map(({ name }) => name)
}

/** Tells whether a function that the path doesn't use could stand in for one that it does. */
function isOverlappingFunction(
  fn: TravelFunction,
  {
    world,
    turns,
    derivations,
    used,
  }: {
    world: TravelWorld
    turns: readonly SampleTurn[]
    derivations: readonly ArgumentDerivation[]
    used: ReadonlySet<string>
  },
): boolean {
  if (twins.some((pair) => pair.includes(fn.name) && pair.some((name) => used.has(name)))) return true
  return turns.some(({ calls, responses }, turn) =>
    calls.some(({ arguments: args }, call) => {
      const paths = derivations.flatMap(({ from }) =>
        from.in === 'response' && from.turn === turn && from.call === call ? [from.path] : [],
      )
      if (paths.length === 0) return false
      const values = paths.map((path) => String(readDataPath(responses[call]!['data']!, path)))
      return givesAllEntries(fn, { world, args, values })
    }),
  )
}

/** Tells whether its answer to the same arguments has all these values. */
function givesAllEntries(
  { name, parameters }: TravelFunction,
  { world, args, values }: { world: TravelWorld; args: JsonObject; values: readonly string[] },
): boolean {
  const acceptedArgs = Object.fromEntries(
    Object.entries(args).filter(([key]) => parameters.some((one) => one.name === key)),
  )
  const { body, ok } = ask(openTravel(world), name, acceptedArgs)
  if (!ok) return false
  const leaves = new Set(listTextValues(body['data']!))
  return values.every((value) => leaves.has(value))
}
function* listTextValues(data: JsonValue): Generator<string> {
  if (typeof data === 'object' && data !== null)
    for (const one of Object.values(data)) yield* listTextValues(one)
  else yield String(data)
}
const readDataPath = (data: JsonValue, path: string): JsonValue =>
  path.split('.').reduce<JsonValue>((value, key) => (value as JsonObject)[key] ?? null, data)
