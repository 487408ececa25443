/**
 * A modelled world: it answers requests as the model predicts, with values of its own for what only a server
 * knows. The same seed and requests give the same answers.
 */
import { isRecord, type JsonValue, sha256 } from '@stateeval/contracts'
import type { WorldModel } from '../model.ts'
import { predictCall } from '../predict/predict.ts'
import type { LiveRequest } from '../request.ts'
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
  /** Empties the world; values begin again. */
  reset(): void
}

/** More than any program makes; a world is kept in memory. */
const maxItems = 100_000
/** Clocks begin here, and a write takes a second. */
const beginMs = Date.parse('2025-01-01T00:00:00Z')

export function createModelledWorld(model: WorldModel, seed: string | number = 1): ModelledWorld {
  const route = createRouter(model)
  let state = emptyState
  return {
    answer(request) {
      const routed = route(request)
      if (!routed.ok) return { status: routed.status, body: undefined }
      const predicted = predictCall(model, state, routed.call)
      const realise = (value: JsonValue) => realiseNames(model, seed, value)
      if (predicted.state.items.length > maxItems) return { status: 507, body: undefined }
      state = realiseState(predicted.state, state, realise)
      if (!predicted.ok || predicted.answer === undefined)
        return { status: predicted.status, body: undefined }
      return { status: predicted.status, body: realise(predicted.answer) }
    },
    reset: () => void (state = emptyState),
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

/** Replaces names by values. */
function realiseNames(model: WorldModel, seed: string | number, value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    if (!hasUnknown(value)) return value
    return getUnknownKind(value) === null
      ? value.replaceAll(unknownNames, (name) => String(makeValue(model, seed, name)))
      : makeValue(model, seed, value)
  }
  if (Array.isArray(value)) return value.map((item) => realiseNames(model, seed, item))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, realiseNames(model, seed, member)]),
  )
}

function makeValue(model: WorldModel, seed: string | number, name: string): JsonValue {
  const [, kind, text = ''] = /^\uE000([a-z]+):([^\uE001]*)\uE001$/.exec(name) ?? []
  const at = Number(text.slice(text.lastIndexOf('@') + 1))
  const hash = () => sha256(`${seed} ${name}`).slice(0, 24)
  switch (kind) {
    case 'id': {
      const type = model.types[text.slice(0, text.indexOf('/'))]
      const field = type?.fields[type.identity.field]
      return field?.type === 'integer' || field?.type === 'number' ? at + 1 : hash()
    }
    case 'clock':
      return new Date(beginMs + Number.parseInt(text) * 1000).toISOString()
    case 'token':
      return hash()
    default:
      return null
  }
}
