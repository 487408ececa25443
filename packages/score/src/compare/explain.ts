/** Explains in readable words how two runs differ. This never affects the verdict, which is compare's. */
import type { ValueDifference } from '@stateeval/contracts'
import { readPath, type ComparisonRules } from '@stateeval/program'
import type { ComparedOutcome } from './compare.ts'
import { Ids } from './ids.ts'
import { type Alignment, align, type Item, itemsOf, maxItems, titled } from './items.ts'
import { pairThroughResult } from './hints.ts'
import { Labels } from './labels.ts'
import { member, show } from './show.ts'
import { sizeOf } from './size.ts'
import { type Walk, walk } from './walk.ts'

/** More differences than a person reads; the rest is left out and said to be. */
const maxDifferences = 12

export function explain(
  expected: ComparedOutcome,
  actual: ComparedOutcome,
  comparison: ComparisonRules,
): ValueDifference[] {
  const labels = new Labels(new Ids(expected.world), new Ids(actual.world))
  const differences: ValueDifference[] = []
  const noun = comparison.noun ?? 'item'
  const owners = { expected: ownersOf(expected, comparison), found: ownersOf(actual, comparison) }
  const w: Walk = {
    labels,
    tolerance: comparison.relativeTolerance,
    reduction: comparison.reduction ?? 0,
    noun,
    owner: (side, id) => `the ${titled(owners[side].get(id), noun)}`,
    add: (difference) => void (differences.length < maxDifferences + 1 && differences.push(difference)),
    full: () => differences.length > maxDifferences,
  }
  const lists = comparison.unordered.map((path) => ({
    path,
    expected: readPath(expected.world.state, path),
    found: readPath(actual.world.state, path),
  }))
  pairThroughResult(expected.result, actual.result, owners, labels)
  const aligned = lists.flatMap(({ path, expected: ours, found: theirs }): Aligned[] => {
    if (!Array.isArray(ours) || !Array.isArray(theirs)) return []
    if (Math.max(ours.length, theirs.length) > maxItems) return [{ path, ours, theirs, alignment: null }]
    const items = [itemsOf(ours, 'expected', labels), itemsOf(theirs, 'found', labels)] as const
    return [{ path, ours, theirs, alignment: align(items[0], items[1], labels) }]
  })
  walk(expected.result, actual.result, '', { where: 'result', says: (path) => `RESULT${path}` }, w)
  for (const { path, ours, theirs, alignment } of aligned) {
    const where = `state${path.map(member).join('')}`
    if (alignment) for (const report of itemDifferences(alignment, where, w)) w.add(report)
    else if (ours.length !== theirs.length)
      w.add({
        where,
        expected: String(ours.length),
        found: String(theirs.length),
        says: `${theirs.length} ${noun}s are there at the end, expected ${ours.length}`,
      })
  }
  const others = [expected, actual].map(({ world }) =>
    without(
      world.state,
      aligned.map(({ path }) => path),
    ),
  )
  walk(others[0], others[1], '', { where: 'state', says: (path) => `the final state${path}` }, w)
  if (differences.length === 0)
    differences.push({
      where: 'result',
      says: 'ids are not used consistently: no pairing of the ids of both runs makes RESULT and the final state equal',
    })
  if (differences.length <= maxDifferences) return differences
  return [
    ...differences.slice(0, maxDifferences),
    { where: 'result', says: 'more differences are not listed' },
  ]
}

function* itemDifferences(
  { pairs, missing, surplus }: ReturnType<typeof align>,
  where: string,
  w: Walk,
): Iterable<ValueDifference> {
  for (const [e, f] of pairs) {
    if (w.full()) return
    const name = `the ${titled(e.value, w.noun)}`
    const says = (path: string) => (path === '' ? name : `${path.replace(/^\./, '')} of ${name}`)
    walk(e.value, f.value, '', { where: `${where}[${idOf(e, 'expected', w)}]`, says }, w)
  }
  for (const item of missing) {
    const says = item.initial
      ? `the ${titled(item.value, w.noun)} should still be there but is gone`
      : `the ${titled(item.value, w.noun)} should have been added but is missing`
    yield {
      where: `${where}[${idOf(item, 'expected', w)}]`,
      expected: show(item.value, 'expected', w.labels),
      says,
    }
  }
  for (const item of surplus) {
    const says = item.initial
      ? `the ${titled(item.value, w.noun)} should have been deleted but is still there`
      : `the ${titled(item.value, w.noun)} was added but should not be there`
    yield { where: `${where}[${idOf(item, 'found', w)}]`, found: show(item.value, 'found', w.labels), says }
  }
}

const idOf = (item: Item, side: 'expected' | 'found', { labels }: Walk) =>
  item.id ? labels[side](item.id) : '?'

interface Aligned {
  path: readonly (string | number)[]
  ours: unknown[]
  theirs: unknown[]
  /** null where there are too many items for it. */
  alignment: Alignment | null
}

/** Items by id, including deleted ones. */
export function ownersOf({ world }: ComparedOutcome, { unordered }: ComparisonRules): Map<string, unknown> {
  const owners = new Map(world.gone.map(({ id, last }) => [id, last]))
  for (const path of unordered) {
    const list = readPath(world.state, path)
    if (!Array.isArray(list)) continue
    for (const item of list as { id?: unknown }[]) if (typeof item?.id === 'string') owners.set(item.id, item)
  }
  return owners
}

/** A state without the lists that are explained separately. */
export function without(state: unknown, paths: readonly (readonly (string | number)[])[]): unknown {
  if (paths.length === 0 || sizeOf(state).nodes === 1) return state
  return paths.reduce((now, path) => drop(now, path), state)
}
function drop(value: unknown, [key, ...rest]: readonly (string | number)[]): unknown {
  if (key === undefined) return null
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name === String(key) ? drop(item, rest) : (item as unknown),
    ]),
  )
}
