/** Local edits between calls: a field of a session that the program holds, set to another's or to a constant. */
import type { Json, LocalEdit, Reference } from '@stateeval/contracts'
import { type Path, ref, type Rng, type Scope } from '@stateeval/program'
import { knownSessions, userSessions } from './known.ts'
import { type Leaf, kindOf, leaves } from './leaves.ts'
import type { SessionWorld } from './state.ts'
import { anotherValue } from './values.ts'

interface Holder {
  data: Reference
  leaves: readonly Leaf[]
}

const same = (a: Json, b: Json) => a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b))
const within = (data: Reference, path: Path): Reference => ref(data.variable, ...data.path, ...path)

/** Edits that change something, each of another field, in random order. Lists are set as a whole, never changed inside. */
export function edits(scope: Scope<SessionWorld>, rng: Rng): LocalEdit[] {
  const holders: Holder[] = [
    ...userSessions(scope).map(({ name, data }) => ({ data: ref(name, 'data'), leaves: leaves(data) })),
    ...knownSessions(scope).flatMap(({ copy }) => (copy ? [{ data: copy.reference, leaves: leaves(copy.data) }] : [])),
  ]
  return rng.sample(holders, 3).flatMap((holder) => {
    const others = holders.filter((other) => other !== holder)
    return rng.sample(holder.leaves, 2).map(({ path, name, value }): LocalEdit => {
      const target = within(holder.data, path)
      const sources = others.filter((other) => other.leaves.some((leaf) => leaf.name === name && !same(leaf.value, value)))
      if (sources.length && (Array.isArray(value) || rng.chance(0.6)))
        return { kind: 'edit', target, value: within(rng.pick(sources).data, path) }
      const one = anotherValue(kindOf(path), Array.isArray(value) ? (value[0] ?? null) : value, rng)
      const another = Array.isArray(value) ? [one] : one
      return { kind: 'edit', target, value: { kind: 'literal', value: another } }
    })
  })
}
