/**
 * Interface of a travel function: its schema as a model reads it, and its answer, from the seed and
 * the arguments.
 */
import type { JsonValue, JsonObject, ModelTool } from '@stateeval/contracts'
import type { Booking, BookingChange } from './bookings/booking.ts'

export interface Parameter {
  name: string
  type: 'string' | 'number' | 'array'
  required: boolean
  about: string
}

/** The world as a function sees it. */
export interface View {
  seed: string
  bookings: readonly Booking[]
}

/**
 * Places where an answer has alternatives among which a caller chooses, and the field that names an entry.
 * `at`: [] for the data itself.
 */
export interface Entries {
  at: readonly string[]
  id: string
}

export type Answer =
  | { ok: true; data: JsonValue; change?: BookingChange }
  /** The API's reason for a refusal. */
  | { ok: false; message: string }

export interface TravelFunction {
  /** Written as published; `wireName` is what chat APIs take. */
  name: string
  about: string
  parameters: readonly Parameter[]
  entries?: readonly Entries[]
  answer(view: View, args: Arguments): Answer
}

/** Arguments that have the schema's types. */
export type Arguments = Readonly<JsonObject>

export const needs = (name: string, about: string, type: Parameter['type'] = 'string'): Parameter => ({
  name,
  type,
  required: true,
  about,
})
export const takes = (name: string, about: string, type: Parameter['type'] = 'string'): Parameter => ({
  name,
  type,
  required: false,
  about,
})

export const success = (data: JsonValue): Answer => ({ ok: true, data })
export const refused = (message: string): Answer => ({ ok: false, message })

/**
 * Names may hold characters that chat APIs refuse: each becomes `-`, and 64 characters are the most (README,
 * Options).
 */
export const wireName = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, '-').slice(0, 64)

/** The function as the published samples describe it; `name` is the published one. */
export const schemaOf = ({ name, about, parameters }: TravelFunction) => ({
  name,
  description: about,
  parameters: {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name: parameter, type, about: says }) => [
        parameter,
        { type, description: says, ...(type === 'array' && { items: { type: 'object' } }) },
      ]),
    ),
    required: parameters.flatMap(({ name: parameter, required }) => (required ? [parameter] : [])),
  } satisfies JsonObject,
})

export const toolOf = (fn: TravelFunction): ModelTool => ({ ...schemaOf(fn), name: wireName(fn.name) })

export const text = (args: Arguments, name: string): string => String(args[name] ?? '')
export const number = (args: Arguments, name: string, otherwise: number): number =>
  typeof args[name] === 'number' ? args[name] : otherwise
