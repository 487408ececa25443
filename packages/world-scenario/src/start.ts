/** The initialisation block: the calls that make the initial items, and the user's variables. */
import type { JsonObject, JsonValue } from '@stateeval/contracts'
import type { RandomSource, ScenarioStart } from '@stateeval/program'
import {
  drawFieldValue,
  emptyState,
  type ModelCall,
  type ModelState,
  predictCall,
} from '@stateeval/world-model'
import type { OperationPlan, ScenarioPlan } from './plan.ts'
import { drawContent, drawWords } from './values.ts'
import { drawVariables, listIdsAbove } from './variables.ts'

/** The types that a program is about, with those that they need, in the order in which items are made. */
function drawTypes(
  { model, creators }: ScenarioPlan,
  rng: RandomSource,
): { order: string[]; focus: string[] } {
  const isMade = (type: string) => creators.has(type)
  const focus = rng.sample([...creators.keys()].filter(isMade), 3)
  const order: string[] = []
  const entered = new Set<string>()
  const add = (type: string) => {
    // References may form circles.
    if (entered.has(type) || !isMade(type)) return
    entered.add(type)
    const { parent, fields } = model.types[type]!
    if (parent !== undefined) add(parent)
    for (const { refers } of Object.values(fields)) if (refers !== undefined && refers !== type) add(refers)
    order.push(type)
  }
  focus.forEach(add)
  return { order, focus }
}

/** Places whose parts differ, so that a mixed-up part shows. */
const drawPlaces = ({ place, type }: OperationPlan, rng: RandomSource): JsonObject[] => {
  const drawn = place.map((name) => {
    const field = type.fields[name] ?? { type: 'string' }
    const values = new Set<JsonValue>()
    for (let tries = 0; tries < 20 && values.size < 3; tries++)
      values.add(
        field.type === 'string' && !field.enum
          ? drawWords(rng).replaceAll(' ', '-')
          : (drawFieldValue(name, field, rng) ?? 'none'),
      )
    return [name, [...values]] as const
  })
  return [0, 1, 2].map((at) =>
    Object.fromEntries(drawn.map(([name, values]) => [name, values[at % values.length]!])),
  )
}

/** The call that makes an item of a type; null where none is found that succeeds and makes one. */
function drawCreation(
  plan: ScenarioPlan,
  form: OperationPlan,
  state: ModelState,
  where: { parents: readonly JsonValue[]; place: JsonObject },
  rng: RandomSource,
): { call: ModelCall; state: ModelState } | null {
  for (let tries = 0; tries < 8; tries++) {
    const { operation } = form
    const args: Record<string, JsonValue> = { ...where.place }
    form.parents.forEach((name, at) => (args[name] = where.parents[at]!))
    if (operation.target !== undefined) args[operation.target] = drawWords(rng).replaceAll(' ', '-')
    if (form.body) {
      const content = drawContent({ plan, state, rng }, form)
      if (!content) continue
      args[form.body.argument] = content
    }
    const call = { operation: form.id, args }
    const prediction = predictCall(plan.model, state, call)
    if (prediction.ok && prediction.state.items.length > state.items.length)
      return { call, state: prediction.state }
  }
  return null
}

export function drawStart(plan: ScenarioPlan, rng: RandomSource): ScenarioStart {
  const { order, focus } = drawTypes(plan, rng)
  const places = new Map(order.map((type) => [type, drawPlaces(plan.creators.get(type)!, rng)]))
  const calls: ModelCall[] = []
  let state = emptyState
  const make = (type: string, where: { parents: JsonValue[]; place: JsonObject }) => {
    const made = drawCreation(plan, plan.creators.get(type)!, state, where, rng)
    if (!made) return
    calls.push(made.call)
    state = made.state
  }
  for (const type of order) {
    const { parent, place = [] } = plan.model.types[type]!
    const above = parent === undefined ? [undefined] : state.items.filter((item) => item.type === parent)
    for (const [at, item] of above.slice(0, 3).entries())
      for (const [nth, one] of (place.length > 0 ? places.get(type)! : [{}]).entries()) {
        const isFirst = at === 0 && nth === 0
        const count = isFirst ? rng.int(3, 4) : place.length > 0 ? rng.int(1, 3) : rng.int(2, 3)
        for (let n = 0; n < count; n++) make(type, { parents: listIdsAbove(plan, state, item), place: one })
      }
  }
  const variables = drawVariables(plan, { focus, places, state }, rng)
  return {
    variables,
    world: { calls: calls.map(({ operation, args }) => ({ operation, args: { ...args } })) },
  }
}
