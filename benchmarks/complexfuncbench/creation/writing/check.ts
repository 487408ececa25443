/**
 * Fine-grained annotation as far as a machine can do it (paper, section 2.1.2): from the calls that a model
 * made to the shortest path that is left of them, made unambiguous, with every argument derived; or why the
 * query can't be used.
 */
import { canonicalJson, type JsonValue } from '@stateeval/contracts'
import { findFunction } from '../../travel/functions.ts'
import { ask, openTravel, type TravelState, type TravelWorld } from '../../travel/world.ts'
import { disambiguateSample, isLookedUp } from '../disambiguate.ts'
import type { GoldenCall, CreatedSample, SampleTurn, WalkedSample } from '../sample.ts'
import type { LearnedSample } from '../learning/learn-template.ts'
import { findUnlikeness } from './likeness.ts'
import { findShortestPath } from './shortest.ts'

interface WrittenSample {
  id: string
  query: string
  /** Rounds of calls as they were made. */
  calls: readonly (readonly GoldenCall[])[]
  answer: string
  world: TravelWorld
}

export function checkWritten(
  { id, query, calls, answer, world }: WrittenSample,
  { steps, like }: { steps: number; like?: LearnedSample | undefined },
): { sample: CreatedSample } | { fault: string } {
  const sampleOf = (path: WrittenPath) =>
    disambiguateSample((hidden) => walkWritten({ id, query, answer, world: { ...world, hidden } }, path))
  const made = sampleOf(removeNeedless(removeRepeats(calls, world), world))
  if ('fault' in made) return made
  const path = findShortestPath(made.sample)
  const outcome = path.length === 0 ? { fault: 'no call that was made is asked for' } : sampleOf(path)
  if ('fault' in outcome) return outcome
  const unlike = like && findUnlikeness(outcome.sample, like)
  if (unlike != null) return { fault: unlike }
  if (path.length >= steps) return outcome
  return {
    fault: `only ${path.length} ${path.length === 1 ? 'step is' : 'steps are'} needed; it should need ${steps}`,
  }
}

type WrittenPath = readonly (readonly GoldenCall[])[]

/** Calls that were refused, or made before, are no part of a path. */
function removeRepeats(calls: WrittenPath, world: TravelWorld): WrittenPath {
  let state: TravelState = openTravel(world)
  const keys = new Set<string>()
  return removeEmptyRounds(
    calls.map((round) =>
      round.filter((call) => {
        const { ok, state: next } = ask(state, call.name, call.arguments)
        const key = canonicalJson({ name: call.name, arguments: call.arguments })
        if (!ok || keys.has(key)) return false
        state = next
        keys.add(key)
        return true
      }),
    ),
  )
}
const removeEmptyRounds = (path: WrittenPath): WrittenPath => path.filter((round) => round.length > 0)

function walkWritten(
  about: Omit<WalkedSample, 'turns'>,
  path: WrittenPath,
): WalkedSample | { fault: string } {
  let state: TravelState = openTravel(about.world)
  const turns: SampleTurn[] = []
  for (const calls of path) {
    const responses = []
    for (const { name, arguments: args } of calls) {
      const { ok, body, state: next } = ask(state, name, args)
      if (!ok) return { fault: `${name} is refused: ${String(body['message'])}` }
      if (isEmpty(body['data']!)) return { fault: `${name} finds nothing` }
      state = next
      responses.push(body)
    }
    turns.push({ calls, responses })
  }
  return turns.length > 0 ? { ...about, turns } : { fault: 'no call that was made is accepted' }
}
const isEmpty = (data: JsonValue) => Array.isArray(data) && data.length === 0

/**
 * The path without places, filters and orders that were looked up for nothing: no later call has an id or a
 * coordinate of them.
 */
function removeNeedless(path: WrittenPath, world: TravelWorld): WrittenPath {
  return removeEmptyRounds(
    path.map((calls, round) => {
      const later = new Set(
        path.slice(round + 1).flatMap((one) => one.flatMap(({ arguments: args }) => listPathTexts(args))),
      )
      return calls.filter(
        ({ name, arguments: args }) =>
          !isLookedUp(name) ||
          listHandleValues(ask(openTravel(world), name, args).body['data'] ?? null, name).some((text) =>
            [...later].some((one) => one.split(',').includes(text)),
          ),
      )
    }),
  )
}

function listPathTexts(value: JsonValue): string[] {
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(listPathTexts)
    : [String(value)]
}
const coordinates = ['latitude', 'longitude', 'lat', 'lng']
/** Ids and coordinates in an answer. */
function listHandleValues(value: JsonValue, name: string): string[] {
  const ids = [...coordinates, ...(findFunction(name)?.entries ?? []).map(({ id }) => id)]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) =>
    typeof one === 'object' ? listHandleValues(one, name) : ids.includes(key) ? [String(one)] : [],
  )
}
