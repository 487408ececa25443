/** Laws of every model, as functions that throw if one is broken. Tests run them on many seeds. */
import { canonicalJson, type JsonValue } from '@stateeval/contracts'
import { createRng } from '@stateeval/program'
import { drawCall } from './draw.ts'
import type { WorldModel } from './model.ts'
import { getIdentity } from './predict/items.ts'
import { type CallPrediction, type ModelCall, predictCall } from './predict/predict.ts'
import { type ModelState, emptyState } from './state.ts'
import { unknownNames } from './unknown.ts'

const assertLaw = (holds: boolean, says: () => string) => {
  if (!holds) throw new Error(says())
}
const same = (a: unknown, b: unknown) => canonicalJson(a ?? null) === canonicalJson(b ?? null)

function freezeDeep<T>(value: T): T {
  if (value !== null && typeof value === 'object' && !Object.isFrozen(value))
    Object.values(Object.freeze(value)).forEach(freezeDeep)
  return value
}

interface PredictedStep {
  before: ModelState
  call: ModelCall
  prediction: CallPrediction
}

/** Walks at random over calls, faulty ones among them. */
function* walkModel(model: WorldModel, seed: string | number, length: number): Generator<PredictedStep> {
  const rng = createRng(`walk ${seed}`)
  let state = emptyState
  for (let step = 0; step < length; step++) {
    const call = drawCall(model, freezeDeep(state), rng, { faults: 0.15 })
    if (!call) return
    const prediction = predictCall(model, state, freezeDeep(call))
    yield { before: state, call, prediction }
    state = prediction.state
  }
}

/** Throws the first law that the model breaks in a walk of calls. */
export function checkModelLaws(model: WorldModel, seed: string | number, length = 30): void {
  const issued = new Set<string>()
  for (const step of walkModel(model, seed, length)) {
    const label = () => `${step.call.operation}, ${JSON.stringify(step.call.args)}:`
    checkRepeatable(model, step, label)
    checkReadsChangeNothing(model, step, label)
    checkAnswersShowState(model, step, label)
    for (const [name] of JSON.stringify(step.prediction.state.items).matchAll(unknownNames)) issued.add(name)
    const shown = step.prediction.ok ? JSON.stringify(step.prediction.answer ?? null) : ''
    for (const [name] of shown.matchAll(unknownNames))
      assertLaw(
        issued.has(name) || name.startsWith('\uE000any'),
        () => `${label()} an answer shows ${name}, which nothing holds`,
      )
  }
}

/** The same state and call give the same prediction, which survives JSON. */
function checkRepeatable(
  model: WorldModel,
  { before, call, prediction }: PredictedStep,
  label: () => string,
) {
  assertLaw(same(predictCall(model, before, call), prediction), () => `${label()} differs the second time`)
  const copy = JSON.parse(JSON.stringify(before)) as ModelState
  assertLaw(same(predictCall(model, copy, call), prediction), () => `${label()} differs after JSON`)
}

const readers = new Set(['read', 'list', 'search'])

function checkReadsChangeNothing(
  model: WorldModel,
  { before, call, prediction }: PredictedStep,
  label: () => string,
) {
  const { effect, type } = model.operations[call.operation]!
  const { state } = prediction
  if (!prediction.ok || readers.has(effect)) {
    assertLaw(state === before, () => `${label()} changes the state`)
    return
  }
  const old = new Map(before.items.map((item) => [item.key, item]))
  const written = state.items.filter((item) => old.get(item.key) !== item)
  if (effect !== 'delete' && effect !== 'delete-many')
    assertLaw(
      written.filter((item) => item.type === type).length === written.length && written.length <= 1,
      () => `${label()} writes ${written.length} items`,
    )
  const keys = state.items.map(({ key }) => key)
  assertLaw(
    new Set(keys).size === keys.length && keys.every((key) => key < state.nextKey),
    () => `${label()} gives a key twice`,
  )
}

/** A created item can be read, and a deleted one cannot. */
function checkAnswersShowState(
  model: WorldModel,
  { before, call, prediction }: PredictedStep,
  label: () => string,
) {
  if (!prediction.ok) return
  const operation = model.operations[call.operation]!
  const reading = Object.entries(model.operations).find(
    ([, other]) => other.effect === 'read' && other.type === operation.type,
  )
  if (!reading) return
  const [id, { target, parents = [] }] = reading
  const type = model.types[operation.type]!
  const read = (item: ModelState['items'][number]) => {
    const above: JsonValue[] = []
    const parentOf = (key: number | null) =>
      [...before.items, ...prediction.state.items].find((other) => other.key === key)
    for (let at = parentOf(item.parent); at; at = parentOf(at.parent)) above.unshift(getIdentity(model, at))
    const args = {
      ...Object.fromEntries(parents.map((name, n) => [name, above[n]!])),
      ...Object.fromEntries((type.place ?? []).map((name) => [name, item.values[name]!])),
      [target!]: getIdentity(model, item),
    }
    return predictCall(model, prediction.state, { operation: id, args })
  }
  const keys = (state: ModelState) => new Set(state.items.map(({ key }) => key))
  const [old, next] = [keys(before), keys(prediction.state)]
  for (const item of prediction.state.items)
    if (item.type === operation.type && !old.has(item.key))
      assertLaw(read(item).ok, () => `${label()} creates an item that cannot be read`)
  if (operation.effect === 'delete' || operation.effect === 'delete-many')
    for (const item of before.items)
      if (item.type === operation.type && !next.has(item.key))
        assertLaw(!read(item).ok, () => `${label()} leaves the item readable`)
}
