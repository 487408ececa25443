/** Local edits of bodies. */
import type { LocalEdit } from '@stateeval/contracts'
import { createLiteral, createRef, type RandomSource, readPath, type ValuePath } from '@stateeval/program'
import { getPathValue } from '@stateeval/world-model'
import { listKnownItems, type Scope } from './known.ts'
import { listBodies, type NamedBody } from './places.ts'
import type { OperationPlan, ScenarioPlan } from './plan.ts'
import { drawOther, listBodyLeaves } from './values.ts'

/** Edits that change a body: to another body's value there, to a known item's id, or to a constant. */
export function* listEdits(
  plan: ScenarioPlan,
  scope: Scope,
  rng: RandomSource,
): Generator<LocalEdit, void, undefined> {
  const seen = new Set<string>()
  const forms = plan.operations.filter(
    ({ body, operation: { type } }) => body && !seen.has(type) && seen.add(type),
  )
  const choices = forms.flatMap((form) => listBodies(plan, scope, form).map((body) => ({ form, body })))
  for (const { form, body } of rng.sample(choices, 3)) {
    yield* listReferenceEdits(plan, scope, form, body, rng)
    const at = form.body!.at
    const others = choices.filter((choice) => choice.form === form && choice.body !== body)
    for (const { path, value } of rng.sample(listBodyLeaves(getPathValue(body.value, at) ?? {}), 2)) {
      const where = [...at, ...path]
      if (form.type.fields[String(path[0])]?.refers !== undefined || path.length === 0) continue
      const text = JSON.stringify(value)
      const texts = others.map((other) => JSON.stringify(readPath(other.body.value, where)))
      const distinct = others.filter(
        (_, n) =>
          texts[n] !== undefined && texts[n] !== text && texts.filter((one) => one === texts[n]).length === 1,
      )
      const target = extend(body, where)
      if (distinct.length > 0 && rng.chance(0.6))
        yield { kind: 'edit', target, value: extend(rng.pick(distinct).body, where) }
      else {
        const [first] = Array.isArray(value) ? value : [value]
        const other = drawOther(form.type, path, first ?? null, rng)
        if (other !== first)
          yield { kind: 'edit', target, value: createLiteral(Array.isArray(value) ? [other] : other) }
      }
    }
  }
}

const extend = ({ reference: { variable, path } }: NamedBody, where: ValuePath) =>
  createRef(variable, ...path, ...where)

/** Sets a reference of a body to the id of an item that a call has shown. */
function* listReferenceEdits(
  plan: ScenarioPlan,
  scope: Scope,
  form: OperationPlan,
  body: NamedBody,
  rng: RandomSource,
): Generator<LocalEdit, void, undefined> {
  if (form.operation.content?.at) return
  for (const [name, { refers }] of Object.entries(form.type.fields)) {
    if (refers === undefined || plan.model.types[refers]?.identity.by === 'client') continue
    const named = listKnownItems(plan, scope, refers).filter(({ id }) => id.kind === 'reference')
    if (named.length === 0) continue
    const { id } = rng.pick(named)
    if (id.kind === 'reference')
      yield { kind: 'edit', target: extend(body, [...form.body!.at, name]), value: id }
  }
}
