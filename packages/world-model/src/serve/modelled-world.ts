/**
 * A modelled world: it answers requests as the model predicts, with values of its own for what only a server
 * knows. The same seed and requests give the same answers.
 */
import { canonicalJson, isRecord, type JsonObject, type JsonValue, sha256 } from '@stateeval/contracts'
import { getCountedId } from '../counted.ts'
import type { WorldModel } from '../model.ts'
import { type ModelCall, predictCall } from '../predict/predict.ts'
import { isSuccess, type LiveRequest } from '../request.ts'
import { emptyState, type ModelState } from '../state.ts'
import { getUnknownKind, hasUnknown, unknownNames } from '../unknown.ts'
import { createRouter } from './route.ts'

export interface ModelledAnswer {
  status: number
  /** Undefined where there is none. */
  body: JsonValue | undefined
}
export interface ModelledWorld {
  answer(request: LiveRequest): ModelledAnswer
  /** The present state, with the values that clients see. */
  readonly state: ModelState
  /** Ids that the server chose, those of deleted items among them. Numbers are none: they tell no item. */
  readonly issued: ReadonlySet<string>
  /** Makes the world as it was in the beginning; values begin again. */
  reset(): void
}

/** More than any program makes; a world is kept in memory. */
const maxItems = 100_000
/** Clocks begin here, and a write takes a second. */
const beginMs = Date.parse('2025-01-01T00:00:00Z')

/**
 * Throws a RangeError where an initial call fails.
 *
 * @param initial calls that make the initial items. They are named as predictions have them, and their
 *   values follow from the calls alone: they are the same for each seed.
 */
export function createModelledWorld(
  model: WorldModel,
  seed: string | number = 1,
  initial: readonly ModelCall[] = [],
): ModelledWorld {
  const route = createRouter(model)
  const issued = new Set<string>()
  let state = emptyState
  const make = (call: ModelCall, from: string | number): ModelledAnswer => {
    const predicted = predictCall(model, state, call)
    const realise = (value: JsonValue) => realiseNames({ model, seed: from, issued }, value)
    if (predicted.state.items.length > maxItems) return { status: 507, body: undefined }
    state = realiseState(predicted.state, state, realise)
    if (!predicted.ok || predicted.answer === undefined) return { status: predicted.status, body: undefined }
    return { status: predicted.status, body: realise(predicted.answer) }
  }
  const begin = () => {
    state = emptyState
    issued.clear()
    if (initial.length === 0) return
    const from = sha256(canonicalJson(initial))
    for (const [at, { operation, args }] of initial.entries()) {
      const named = realiseNames({ model, seed: from, issued }, args) as JsonObject
      const { status } = make({ operation, args: named }, from)
      if (!isSuccess({ status })) throw new RangeError(`calls[${at}]: ${operation} answers ${status}`)
    }
  }
  begin()
  return {
    answer(request) {
      const routed = route(request)
      if (!routed.ok) return { status: routed.status, body: undefined }
      // A client must not name what only the server knows.
      if (hasUnknown(JSON.stringify(routed.call.args))) return { status: 400, body: undefined }
      return make(routed.call, seed)
    },
    get state() {
      return state
    },
    issued,
    reset: begin,
  }
}

/** Items that the call wrote may hold names. */
function realiseState(
  state: ModelState,
  before: ModelState,
  realise: (value: JsonValue) => JsonValue,
): ModelState {
  if (state.items === before.items) return state
  const known = new Set(before.items)
  const items = state.items.map((item) =>
    known.has(item) ? item : { ...item, values: realise(item.values) as typeof item.values },
  )
  return { ...state, items }
}

interface ValueSource {
  model: WorldModel
  seed: string | number
  issued: Set<string>
}

/** Replaces names by values. */
function realiseNames(source: ValueSource, value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    if (!hasUnknown(value)) return value
    return getUnknownKind(value) === null
      ? value.replaceAll(unknownNames, (name) => String(makeValue(source, name)))
      : makeValue(source, value)
  }
  if (Array.isArray(value)) return value.map((item) => realiseNames(source, item))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, realiseNames(source, member)]),
  )
}

function makeValue({ model, seed, issued }: ValueSource, name: string): JsonValue {
  const [, kind, text = ''] = /^\uE000([a-z]+):([^\uE001]*)\uE001$/.exec(name) ?? []
  const hash = () => sha256(`${seed} ${name}`).slice(0, 24)
  switch (kind) {
    case 'id': {
      const counted = getCountedId(model, name)
      if (counted !== null) return counted
      const id = hash()
      issued.add(id)
      return id
    }
    case 'clock':
      return new Date(beginMs + Number.parseInt(text) * 1000).toISOString()
    case 'token':
      return hash()
    default:
      return null
  }
}
