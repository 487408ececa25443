/**
 * Interface of a travel function: its schema as a model reads it, and its answer, from the seed and
 * the arguments.
 */
import { formatAsText, type JsonValue, type JsonObject, type ModelTool } from '@stateeval/contracts'
import type { TravelBooking, BookingChange } from './bookings/booking.ts'

export interface FunctionParameter {
  name: string
  type: 'string' | 'number' | 'array'
  required: boolean
  about: string
}

/** The world as a function sees it. */
export interface WorldView {
  seed: string
  bookings: readonly TravelBooking[]
}

/**
 * Places where an answer has alternatives among which a caller chooses, and the field that names an entry.
 * `at`: [] for the data itself.
 */
export interface EntryLists {
  at: readonly string[]
  id: string
}

export type FunctionAnswer =
  | { ok: true; data: JsonValue; change?: BookingChange }
  /** The API's reason for a refusal. */
  | { ok: false; message: string }

export interface TravelFunction {
  /** The name as published; `formatWireName` gives the name that chat APIs take. */
  name: string
  about: string
  parameters: readonly FunctionParameter[]
  entries?: readonly EntryLists[]
  answer(view: WorldView, args: FunctionArguments): FunctionAnswer
}

/** Arguments that have the schema's types. */
export type FunctionArguments = Readonly<JsonObject>

export const defineNeeded = (
  name: string,
  about: string,
  type: FunctionParameter['type'] = 'string',
): FunctionParameter => ({
  name,
  type,
  required: true,
  about,
})
export const defineTaken = (
  name: string,
  about: string,
  type: FunctionParameter['type'] = 'string',
): FunctionParameter => ({
  name,
  type,
  required: false,
  about,
})

export const createSuccessAnswer = (data: JsonValue): FunctionAnswer => ({ ok: true, data })
export const refuseTravelCall = (message: string): FunctionAnswer => ({ ok: false, message })

/**
 * Names may hold characters that chat APIs refuse: each becomes `-`, and 64 characters are the most (README,
 * Options).
 */
export const formatWireName = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, '-').slice(0, 64)

/** The function as the published samples describe it; `name` is the published one. */
export const buildFunctionSchema = ({ name, about, parameters }: TravelFunction) => ({
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

export const buildTravelTool = (fn: TravelFunction): ModelTool => ({
  ...buildFunctionSchema(fn),
  name: formatWireName(fn.name),
})

export const readTextArgument = (args: FunctionArguments, name: string): string =>
  formatAsText(args[name] ?? '')
export const readNumberArgument = (args: FunctionArguments, name: string, otherwise: number): number =>
  typeof args[name] === 'number' ? args[name] : otherwise
