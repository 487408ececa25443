/**
 * A sample as creation handles it: the published form, the world that it is about, and where each golden
 * argument comes from.
 */
import type { JsonValue, JsonObject } from '@stateeval/contracts'
import type { TravelBooking } from '../travel/bookings/booking.ts'
import { buildFunctionSchema } from '../travel/function.ts'
import { findFunction } from '../travel/functions.ts'
import type { HeardAnswer, TravelWorld } from '../travel/world.ts'

export type GoldenCall = {
  name: string
  arguments: JsonObject
}
export interface SampleTurn {
  calls: readonly GoldenCall[]
  /** Bodies as the API gives them, one for each call. */
  responses: readonly JsonObject[]
}
/** A query and its path, before it is known that the path follows. */
export interface WalkedSample {
  id: string
  query: string
  turns: readonly SampleTurn[]
  answer: string
  world: TravelWorld
}

/** The place where an argument, or a part of one, comes from. */
export interface ArgumentDerivation {
  turn: number
  call: number
  /** Its name; of a part, with keys and list places behind it: `legs.0.date`. */
  argument: string
  from:
    | { in: 'query'; as: string }
    /**
     * `because` says what makes this entry the one that is meant; absent where there is one alone to take.
     */
    | { in: 'response'; turn: number; call: number; path: string; because?: string }
}

/**
 * The required results of a dialogue: bookings, and answers that no golden call uses, so that they were asked
 * for.
 */
export interface DialogueEnds {
  heard: readonly HeardAnswer[]
  bookings: readonly Pick<TravelBooking, 'kind' | 'status' | 'details'>[]
}

export interface CreatedSample extends WalkedSample {
  /** Names of the functions that a model may call. */
  functions: readonly string[]
  derivations: readonly ArgumentDerivation[]
  left: DialogueEnds
}

/** A line in the published format, with what this world adds under `live`. */
export const formatSampleLine = ({
  id,
  query,
  turns,
  answer,
  functions,
  world,
  left,
  derivations,
}: CreatedSample): string =>
  JSON.stringify({
    id,
    conversations: [
      { role: 'user', content: query },
      ...turns.flatMap(({ calls, responses }) => [
        { role: 'assistant', function_call: calls },
        { role: 'observation', content: responses },
      ]),
      { role: 'assistant', content: answer },
    ],
    functions: functions.map((name) => buildFunctionSchema(findFunction(name)!)),
    live: { world, left, derivations },
  })

/** The value at a path of keys and list places; undefined where there is none. */
export function readValuePath(value: JsonValue | undefined, path: string): JsonValue | undefined {
  let at = value
  for (const key of path === '' ? [] : path.split('.')) {
    if (Array.isArray(at)) at = at[Number(key)]
    else if (typeof at === 'object' && at !== null && Object.hasOwn(at, key)) at = at[key]
    else return undefined
  }
  return at
}
