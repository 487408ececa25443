/** The calls that make the initial items, in another order. */
import { isRecord, type JsonObject, type JsonValue } from '@stateeval/contracts'
import type { RandomSource } from '@stateeval/program'
import { emptyState, getIdentity, hasUnknown, type ModelCall, predictCall } from '@stateeval/world-model'
import type { OperationPlan, ScenarioPlan } from './plan.ts'
import { listBodyLeaves } from './values.ts'

/** The same calls in another order, with the ids that their items have then; more of them at the end. */
export function reorderSetup(
  { model, byId }: ScenarioPlan,
  calls: readonly ModelCall[],
  redraw: (form: OperationPlan, content: JsonObject) => JsonObject,
  added: number,
  rng: RandomSource,
): ModelCall[] {
  let own = emptyState
  const waiting = calls.map((call) => {
    own = predictCall(model, own, call).state
    const made = own.items.at(-1)
    return { call, id: made ? String(getIdentity(model, made)) : '' }
  })
  const extra = Array.from({ length: added }, () => ({ call: rng.pick(calls), id: '' }))
  const names = new Map<string, string>()
  const done: ModelCall[] = []
  let state = emptyState
  const place = (left: typeof waiting): void => {
    const ready = left.filter(({ call }) => listNames(call).every((name) => names.has(name)))
    if (ready.length === 0) return
    const next = rng.pick(ready)
    const form = byId.get(next.call.operation)!
    const renamed = renameIds(next.call.args, names) as JsonObject
    const content = form.body && renamed[form.body.argument]
    const args = isRecord(content) ? { ...renamed, [form.body!.argument]: redraw(form, content) } : renamed
    const prediction = predictCall(model, state, { operation: form.id, args })
    if (prediction.ok && prediction.state.items.length > state.items.length) {
      state = prediction.state
      done.push({ operation: form.id, args })
      if (next.id !== '') names.set(next.id, String(getIdentity(model, state.items.at(-1)!)))
    }
    place(left.filter((one) => one !== next))
  }
  place([...waiting, ...extra])
  return done
}

const listNames = ({ args }: ModelCall) =>
  listBodyLeaves(args as JsonObject).flatMap(({ value }) =>
    typeof value === 'string' && hasUnknown(value) ? [value] : [],
  )
function renameIds(value: JsonValue, names: ReadonlyMap<string, string>): JsonValue {
  if (typeof value === 'string') return names.get(value) ?? value
  if (Array.isArray(value)) return value.map((item) => renameIds(item, names))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, renameIds(member, names)]))
}
