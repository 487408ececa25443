/**
 * The travel world as a value: what is asked of it gives an answer and the next state. Inventory, ids and
 * references of bookings come from its seed: two dialogues in one world can be compared.
 *
 * What a dialogue leaves is the set of answers that it got, and its bookings. An answer counts by what it
 * says: the same answer to differently written arguments is the same. What it says is taken without this
 * dialogue's own bookings, so order never matters.
 */
import { canonicalJson, computeContentId, type JsonValue, type JsonObject } from '@stateeval/contracts'
import type { TravelBooking } from './bookings/booking.ts'
import { drawTextId } from './draw.ts'
import type { FunctionAnswer, EntryLists, TravelFunction } from './function.ts'
import { findFunction } from './functions.ts'
import { lengthenTokens, shortenTokens } from './token.ts'

/**
 * Entries that a function's answers leave out: rivals of those that a dialogue is about (paper, section
 * 2.1.2).
 */
export interface HiddenEntries {
  function: string
  ids: readonly string[]
}
export interface TravelWorld {
  /** Seed of the inventory. */
  seed: string
  hidden: readonly HiddenEntries[]
  /** Characters that its tokens have at least. */
  tokenLength?: number
}

/** An answer that was got, or an entry of its list of alternatives, by function; `says` is a hash of it. */
export interface HeardAnswer {
  function: string
  says: string
}
export interface TravelState {
  world: TravelWorld
  bookings: readonly TravelBooking[]
  /** Each once, in the order in which it was heard first. */
  heard: readonly HeardAnswer[]
}

/** @param initial may leave out `hidden` */
export const openTravel = (initial: Omit<TravelWorld, 'hidden'> & Partial<TravelWorld>): TravelState => ({
  world: { ...initial, hidden: initial.hidden ?? [] },
  bookings: [],
  heard: [],
})

interface TravelReply {
  state: TravelState
  /** The body that the API answers with: `status`, `message`, and `data` where it is not refused. */
  body: JsonObject
  ok: boolean
}

/** `args` is whatever was sent. Never throws for it. */
export function ask(state: TravelState, name: string, args: JsonObject): TravelReply {
  const { world } = state
  const fn = findFunction(name)
  if (!fn) return createFailedReply(state, `Function ${name} does not exist.`)
  const fault = findArgumentFault(fn, args)
  if (fault) return createFailedReply(state, fault)
  const answer = fn.answer({ seed: world.seed, bookings: state.bookings }, shortenTokens(world, args))
  if (!answer.ok) return createFailedReply(state, answer.message)
  const next = applyChange(recordHeard(state, fn, args), answer)
  const data = lengthenTokens(world, hideEntries(fn, answer.data, world))
  const reference = next.bookings.length > state.bookings.length ? next.bookings.at(-1)!.reference : null
  return {
    ok: true,
    state: next,
    body: {
      status: true,
      message: 'Success',
      data: reference === null ? data : { reference, ...(data as JsonObject) },
    },
  }
}

const createFailedReply = (state: TravelState, message: string): TravelReply => ({
  ok: false,
  state,
  body: { status: false, message },
})

/** Limit of one argument's text, in characters. */
const longestText = 20_000

function findArgumentFault({ name, parameters }: TravelFunction, args: JsonObject): string | null {
  for (const { name: parameter, type, required } of parameters) {
    const value = args[parameter]
    if (value === undefined) {
      if (required) return `${parameter} is required`
      continue
    }
    const actual = Array.isArray(value) ? 'array' : typeof value
    if (actual !== type) return `${parameter} must be a ${type}`
    if (typeof value === 'string' && value.length > longestText) return `${parameter} is too long`
  }
  const unknown = Object.keys(args).find((key) => !parameters.some((one) => one.name === key))
  return unknown === undefined ? null : `${name} has no parameter ${unknown.slice(0, 100)}`
}

/**
 * Functions that change the world or show its changes are judged by the bookings, not by what they answered.
 */
const isTellingBookings = (fn: TravelFunction) =>
  fn.name.startsWith('Book_') || fn.name === 'Cancel_Booking' || fn.name === 'Get_Bookings'

function recordHeard(state: TravelState, fn: TravelFunction, args: JsonObject): TravelState {
  if (isTellingBookings(fn)) return state
  const heardKeys = new Set(state.heard.map(formatHeardKey))
  const fresh = listHeard(state.world, fn, args).filter((one) => !heardKeys.has(formatHeardKey(one)))
  return fresh.length === 0 ? state : { ...state, heard: [...state.heard, ...fresh] }
}
const formatHeardKey = (heard: HeardAnswer) => `${heard.function}/${heard.says}`

/**
 * The answer of a function without bookings, its tokens as issued: the answer as a whole, then its entries in
 * order. Empty where it refuses.
 */
export function listHeard(world: TravelWorld, fn: TravelFunction, args: JsonObject): HeardAnswer[] {
  const answer = fn.answer({ seed: world.seed, bookings: [] }, shortenTokens(world, args))
  if (!answer.ok) return []
  const data = hideEntries(fn, answer.data, world)
  const entries = (fn.entries ?? []).flatMap(({ at }) => findLists(data, at).flat())
  return [data, ...entries].map((part) => createHeard(fn, part))
}

export const createHeard = ({ name }: TravelFunction, part: JsonValue): HeardAnswer => ({
  function: name,
  says: computeContentId(part).slice(0, 32),
})

function findLists(data: JsonValue, [first, ...rest]: EntryLists['at']): JsonValue[][] {
  if (first === undefined) return Array.isArray(data) ? [data] : []
  if (first === '*') return Array.isArray(data) ? data.flatMap((one) => findLists(one, rest)) : []
  return findLists((data as JsonObject)[first] ?? null, rest)
}

function applyChange(state: TravelState, answer: Extract<FunctionAnswer, { ok: true }>): TravelState {
  const { change } = answer
  if (!change) return state
  if ('cancel' in change)
    return {
      ...state,
      bookings: state.bookings.map((one) =>
        one.reference === change.cancel ? { ...one, status: 'cancelled' as const } : one,
      ),
    }
  const { kind, details } = change.book
  // The same booking again gets another reference; the order of different ones doesn't count.
  const again = state.bookings.filter(
    (one) => one.kind === kind && canonicalJson(one.details) === canonicalJson(details),
  ).length
  const reference = `BK-${drawTextId(state.world.seed, 10, kind, canonicalJson(details), again)}`
  return { ...state, bookings: [...state.bookings, { ...change.book, reference, status: 'confirmed' }] }
}

/** The data without hidden entries. */
function hideEntries({ name, entries = [] }: TravelFunction, data: JsonValue, world: TravelWorld): JsonValue {
  const hiddenIds = world.hidden.flatMap((one) => (one.function === name ? one.ids : []))
  const ids = new Set(hiddenIds.map((id) => shortenTokens(world, id)))
  return ids.size === 0
    ? data
    : entries.reduce((cutData, { at, id }) => removeEntry(cutData, at, id, ids), data)
}

function removeEntry(
  data: JsonValue,
  [first, ...rest]: EntryLists['at'],
  id: string,
  ids: ReadonlySet<string>,
): JsonValue {
  if (first === undefined)
    return Array.isArray(data) ? data.filter((entry) => !ids.has(String((entry as JsonObject)[id]))) : data
  if (first === '*') return Array.isArray(data) ? data.map((one) => removeEntry(one, rest, id, ids)) : data
  const object = data as JsonObject
  return { ...object, [first]: removeEntry(object[first] ?? [], rest, id, ids) }
}
