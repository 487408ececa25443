/** Small runs for tests: worlds of items, and an independent judge that tries every bijection. */
import type { WorldState } from '@stateeval/contracts'
import type { ComparisonRules } from '@stateeval/program'
import fc from 'fast-check'
import type { ComparedOutcome } from '../src/index.ts'

export const comparison: ComparisonRules = { relativeTolerance: 0, unordered: [['items']], noun: 'session' }

/** The n-th id of a run; runs differ in `salt`, as real worlds do. */
export const idOf = (n: number, salt = '') => `${salt}id${String(n).padStart(8, '0')}`

export interface Item {
  id: string
  source: string
  data: unknown
}
export const world = (items: Item[], ids: WorldState['ids'], gone: WorldState['gone'] = []): WorldState => ({
  state: { items },
  ids,
  gone,
})

/** Every string mapped, keys too. */
function mapStrings<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T
  if (Array.isArray(value)) return value.map((item: unknown) => mapStrings(item, change)) as T
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [change(key), mapStrings(item, change)]),
  ) as T
}

/** The same run with other created ids: a function of the old one. */
export const renamed = (outcome: ComparedOutcome, rename: (id: string) => string): ComparedOutcome => {
  const created = new Set(outcome.world.ids.created)
  const change = (text: string) => text.replace(/id\d{8}/g, (id) => (created.has(id) ? rename(id) : id))
  return mapStrings(outcome, change)
}

/**
 * Small outcomes: 0 to 2 initial items, 0 to 3 created ones, some gone, RESULT that uses their ids anywhere.
 */
export const outcomes: fc.Arbitrary<ComparedOutcome> = fc
  .record({ initial: fc.integer({ min: 0, max: 2 }), created: fc.integer({ min: 0, max: 3 }) })
  .chain(({ initial, created }) => {
    const all = Array.from({ length: initial + created }, (_, n) => idOf(n))
    const leaf = fc.oneof(
      fc.constantFrom('a', 'b', idOf(99)),
      fc.integer({ min: 0, max: 2 }),
      fc.constantFrom(null, true, 0.5),
      ...(all.length ? [fc.constantFrom(...all), fc.constantFrom(...all).map((id) => `see ${id}!`)] : []),
    )
    const key = fc.constantFrom('x', 'y', '__proto__', ...all)
    const value = fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.array(leaf, { maxLength: 3 }),
      fc.dictionary(key, leaf, { maxKeys: 3, noNullPrototype: true }),
    )
    return fc
      .record({
        result: fc.dictionary(fc.constantFrom('p', 'q', 'r'), value, { noNullPrototype: true }),
        items: fc.tuple(
          ...all.map((id) =>
            fc.record({
              id: fc.constant(id),
              source: fc.constantFrom('s', 't'),
              data: fc.oneof(fc.constant({ title: 'T' }), leaf, value),
            }),
          ),
        ),
        isGone: fc.tuple(...all.map(() => fc.boolean())),
      })
      .map(({ result, items, isGone }) => ({
        result,
        world: world(
          items.filter((_, n) => !isGone[n]),
          { initial: all.slice(0, initial), created: all.slice(initial) },
          items.filter((_, n) => isGone[n]).map(({ id, ...last }) => ({ id, last })),
        ),
      }))
  })

const permutations = (n: number): number[][] =>
  n === 0
    ? [[]]
    : permutations(n - 1).flatMap((rest) =>
        Array.from({ length: n }, (_, at) => rest.toSpliced(at, 0, n - 1)),
      )

const canonical = (value: unknown): string =>
  value !== null && typeof value === 'object'
    ? Array.isArray(value)
      ? `[${value.map(canonical).join()}]`
      : `{${Object.entries(value)
          .map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`)
          .sort()
          .join()}}`
    : JSON.stringify(value)

/**
 * Whether some bijection of created ids makes both equal: tried one by one, no cleverness. For at most 5
 * created ids. Ids that neither RESULT, state nor the last content of such an id mentions say nothing.
 */
export function bruteForce(expected: ComparedOutcome, actual: ComparedOutcome): boolean {
  const reach = (outcome: ComparedOutcome) => {
    const text = (value: unknown) => JSON.stringify(value)
    let reached = text([outcome.result, outcome.world.state])
    for (let before = -1; before !== reached.length;) {
      before = reached.length
      for (const { id, last } of outcome.world.gone)
        if (reached.includes(id) && outcome.world.ids.created.includes(id) && !reached.includes(`@${id}`))
          reached += `@${id}${text(last)}`
    }
    return outcome.world.ids.created.filter((id) => reached.includes(id))
  }
  const [ours, theirs] = [reach(expected), reach(actual)]
  if (ours.length !== theirs.length) return false
  const whole = (
    { result, world: { state, gone, ids } }: ComparedOutcome,
    names: Map<string, string>,
    mentioned: string[],
  ) => {
    const knownIds = new Set([...ids.initial, ...ids.created])
    const change = (text: string) =>
      text.replace(/\b\w*id\d{8}/g, (id) => (knownIds.has(id) ? `<${names.get(id)}>` : id))
    const items = (state as { items: unknown[] }).items
      .map((item) => canonical(mapStrings(item, change)))
      .sort()
    const last = gone
      .filter(({ id }) => mentioned.includes(id))
      .map((item) => canonical(mapStrings(item, change)))
      .sort()
    return canonical([mapStrings(result, change), items, last])
  }
  const name = (outcome: ComparedOutcome, list: string[]) =>
    new Map([
      ...outcome.world.ids.initial.map((id, n): [string, string] => [id, `initial ${n}`]),
      ...list.map((id, n): [string, string] => [id, `created ${n}`]),
    ])
  const target = whole(expected, name(expected, ours), ours)
  return permutations(ours.length).some(
    (order) =>
      whole(
        actual,
        name(
          actual,
          order.map((n) => theirs[n] as string),
        ),
        theirs,
      ) === target,
  )
}
