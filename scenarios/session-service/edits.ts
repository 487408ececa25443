/**
 * Local edits between calls: a field of a session that the program holds, set to another's or to a constant.
 */
import type { JsonValue, JsonObject, LocalEdit, VariableReference } from '@stateeval/contracts'
import { type ValuePath, createRef, type RandomSource, type TraceScope } from '@stateeval/program'
import { listKnownSessions, listUserSessions } from './known.ts'
import { getLeafKind, findLeaf, leaves } from './leaves.ts'
import type { SessionWorld } from './state.ts'
import { drawAnotherValue } from './values.ts'

interface DataHolder {
  data: VariableReference
  document: JsonObject
}

const isSameJson = (a: JsonValue, b: JsonValue) =>
  a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b))
const extendReference = (data: VariableReference, path: ValuePath): VariableReference =>
  createRef(data.variable, ...data.path, ...path)

/**
 * Tells whether no other session has the value there: only then does the value show from which one it is
 * taken.
 */
const isOnlyOne = (holder: DataHolder, value: JsonValue, name: string, holders: readonly DataHolder[]) =>
  holders.every((other) => {
    const leaf = other === holder ? undefined : findLeaf(other.document, name)
    return leaf === undefined || !isSameJson(leaf.value, value)
  })

/**
 * Edits that change something, each of another field, in random order. Lists are set as a whole, never
 * changed inside.
 */
export function* listEdits(
  scope: TraceScope<SessionWorld>,
  rng: RandomSource,
): Generator<LocalEdit, void, undefined> {
  const holders: DataHolder[] = []
  for (const { name, data } of listUserSessions(scope))
    holders.push({ data: createRef(name, 'data'), document: data })
  for (const { copy } of listKnownSessions(scope))
    if (copy) holders.push({ data: copy.reference, document: copy.data })
  for (const holder of rng.sample(holders, 3))
    for (const { path, name, value } of rng.sample(leaves(holder.document), 2)) {
      const target = extendReference(holder.data, path)
      const sources = holders.filter((other) => {
        const leaf = other === holder ? undefined : findLeaf(other.document, name)
        return (
          leaf !== undefined && !isSameJson(leaf.value, value) && isOnlyOne(other, leaf.value, name, holders)
        )
      })
      if (sources.length > 0 && (Array.isArray(value) || rng.chance(0.6)))
        yield { kind: 'edit', target, value: extendReference(rng.pick(sources).data, path) }
      else {
        const one = drawAnotherValue(
          getLeafKind(path),
          Array.isArray(value) ? (value[0] ?? null) : value,
          rng,
        )
        yield { kind: 'edit', target, value: { kind: 'literal', value: Array.isArray(value) ? [one] : one } }
      }
    }
}
