/** Explains in readable words how two runs differ. This never affects the verdict, which is compare's. */
import type { ValueDifference } from '@stateeval/contracts'
import { readPath, type ComparisonRules } from '@stateeval/program'
import type { ComparedOutcome } from './compare.ts'
import { IdTable } from './ids.ts'
import {
  type ItemAlignment,
  alignItems,
  type ComparedItem,
  collectItems,
  maxItems,
  formatItemTitle,
} from './items.ts'
import { findPairThroughResult } from './hints.ts'
import { IdLabels } from './labels.ts'
import { formatMember, show } from './show.ts'
import { measureSize } from './size.ts'
import { type ComparisonWalk, walk } from './walk.ts'

/** More differences than a person reads; the rest is left out and said to be. */
const maxDifferences = 12

export function explain(
  expected: ComparedOutcome,
  actual: ComparedOutcome,
  comparison: ComparisonRules,
): ValueDifference[] {
  const labels = new IdLabels(new IdTable(expected.world), new IdTable(actual.world))
  const differences: ValueDifference[] = []
  const noun = comparison.noun ?? 'item'
  const owners = { expected: collectOwners(expected, comparison), found: collectOwners(actual, comparison) }
  const w: ComparisonWalk = {
    labels,
    tolerance: comparison.relativeTolerance,
    reduction: comparison.reduction ?? 0,
    noun,
    owner: (side, id) => `the ${formatItemTitle(owners[side].get(id), noun)}`,
    add: (difference) => void (differences.length < maxDifferences + 1 && differences.push(difference)),
    full: () => differences.length > maxDifferences,
  }
  const lists = comparison.unordered.map((path) => ({
    path,
    expected: readPath(expected.world.state, path),
    found: readPath(actual.world.state, path),
  }))
  findPairThroughResult(expected.result, actual.result, owners, labels)
  const aligned = lists.flatMap(({ path, expected: ours, found: theirs }): AlignedLists[] => {
    if (!Array.isArray(ours) || !Array.isArray(theirs)) return []
    if (Math.max(ours.length, theirs.length) > maxItems) return [{ path, ours, theirs, alignment: null }]
    const items = [collectItems(ours, 'expected', labels), collectItems(theirs, 'found', labels)] as const
    return [{ path, ours, theirs, alignment: alignItems(items[0], items[1], labels) }]
  })
  walk(expected.result, actual.result, '', { where: 'result', says: (path) => `RESULT${path}` }, w)
  for (const { path, ours, theirs, alignment } of aligned) {
    const where = `state${path.map(formatMember).join('')}`
    if (alignment) for (const report of describeItemDifferences(alignment, where, w)) w.add(report)
    else if (ours.length !== theirs.length)
      w.add({
        where,
        expected: String(ours.length),
        found: String(theirs.length),
        says: `${theirs.length} ${noun}s are there at the end, expected ${ours.length}`,
      })
  }
  const others = [expected, actual].map(({ world }) =>
    removeLists(
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

function* describeItemDifferences(
  { pairs, missing, surplus }: ReturnType<typeof alignItems>,
  where: string,
  w: ComparisonWalk,
): Iterable<ValueDifference> {
  for (const [e, f] of pairs) {
    if (w.full()) return
    const name = `the ${formatItemTitle(e.value, w.noun)}`
    const says = (path: string) => (path === '' ? name : `${path.replace(/^\./, '')} of ${name}`)
    walk(e.value, f.value, '', { where: `${where}[${getItemId(e, 'expected', w)}]`, says }, w)
  }
  for (const item of missing) {
    const says = item.initial
      ? `the ${formatItemTitle(item.value, w.noun)} should still be there but is gone`
      : `the ${formatItemTitle(item.value, w.noun)} should have been added but is missing`
    yield {
      where: `${where}[${getItemId(item, 'expected', w)}]`,
      expected: show(item.value, 'expected', w.labels),
      says,
    }
  }
  for (const item of surplus) {
    const says = item.initial
      ? `the ${formatItemTitle(item.value, w.noun)} should have been deleted but is still there`
      : `the ${formatItemTitle(item.value, w.noun)} was added but should not be there`
    yield {
      where: `${where}[${getItemId(item, 'found', w)}]`,
      found: show(item.value, 'found', w.labels),
      says,
    }
  }
}

const getItemId = (item: ComparedItem, side: 'expected' | 'found', { labels }: ComparisonWalk) =>
  item.id ? labels[side](item.id) : '?'

interface AlignedLists {
  path: readonly (string | number)[]
  ours: unknown[]
  theirs: unknown[]
  /** null where there are too many items for it. */
  alignment: ItemAlignment | null
}

/** Items by id, including deleted ones. */
export function collectOwners(
  { world }: ComparedOutcome,
  { unordered }: ComparisonRules,
): Map<string, unknown> {
  const owners = new Map(world.gone.map(({ id, last }) => [id, last]))
  for (const path of unordered) {
    const list = readPath(world.state, path)
    if (!Array.isArray(list)) continue
    for (const item of list as { id?: unknown }[]) if (typeof item?.id === 'string') owners.set(item.id, item)
  }
  return owners
}

/** A state without the lists that are explained separately. */
export function removeLists(state: unknown, paths: readonly (readonly (string | number)[])[]): unknown {
  if (paths.length === 0 || measureSize(state).nodes === 1) return state
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
