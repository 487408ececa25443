/**
 * The results of a run next to the reference's, paired as the comparison explains them, for readers. This
 * does not affect the verdict.
 */
import type { PairedRun } from '@stateeval/contracts'
import { readPath, type ComparisonRules } from '@stateeval/program'
import type { ComparedOutcome } from './compare.ts'
import { ownersOf, without } from './explain.ts'
import { pairThroughResult } from './hints.ts'
import { Ids } from './ids.ts'
import { align, type Item, itemsOf, maxItems, titled } from './items.ts'
import { Labels } from './labels.ts'
import { member } from './show.ts'
import { isTensorValue, tensorsBeside } from './tensors.ts'
import { type Walk, walk } from './walk.ts'

type Pair = PairedRun['parts'][number]['pairs'][number]
/** Two values of which one may be absent, as they are; `says` is filled when they were walked. */
interface Raw {
  name: string
  where: string
  expected?: unknown
  found?: unknown
}

/** Sentences of one pair, values that are shown of one side of it, and levels of them. */
const [maxSays, maxValues, maxDepth] = [12, 4_000, 60]

export function beside(
  expected: ComparedOutcome,
  actual: ComparedOutcome,
  comparison: ComparisonRules,
): PairedRun {
  const labels = new Labels(new Ids(expected.world), new Ids(actual.world))
  const noun = comparison.noun ?? 'item'
  const owners = { expected: ownersOf(expected, comparison), found: ownersOf(actual, comparison) }
  pairThroughResult(expected.result, actual.result, owners, labels)
  const lists = comparison.unordered.flatMap((path) => {
    const [ours, theirs] = [expected, actual].map(({ world }) => readPath(world.state, path))
    if (!Array.isArray(ours) || !Array.isArray(theirs)) return []
    const where = `state${path.map(member).join('')}`
    return [{ path, where, pairs: itemPairs(ours, theirs, labels, noun, where) }]
  })
  const [ours, theirs] = [expected, actual].map(({ world }) =>
    without(
      world.state,
      lists.map(({ path }) => path),
    ),
  )
  const result = { name: 'RESULT', where: 'RESULT', expected: expected.result, found: actual.result }
  const rest = { name: 'the rest of the state', where: 'state', expected: ours, found: theirs }
  const parts = [
    { where: 'RESULT', pairs: [result] },
    ...lists.map(({ where, pairs }) => ({ where, pairs })),
    ...(isEmpty(ours) && isEmpty(theirs) ? [] : [{ where: 'state', pairs: [rest] }]),
  ]
  const owner: Walk['owner'] = (side, id) => `the ${titled(owners[side].get(id), noun)}`
  const walked = (raw: Raw) => saysOf(raw, { labels, comparison, noun, owner })
  // Ids are paired while values are walked: all are, before any is shown.
  const said = parts.map(({ pairs }) => pairs.map(walked))
  return {
    parts: parts.map(({ where, pairs }, part) => ({
      where,
      pairs: pairs.map((raw, n) => shownPair(raw, said[part]![n]!, labels, comparison.reduction ?? 0)),
    })),
  }
}

const isEmpty = (value: unknown) =>
  value === null ||
  value === undefined ||
  (typeof value === 'object' && Object.values(value).every((one) => one === null))

function itemPairs(
  ours: readonly unknown[],
  theirs: readonly unknown[],
  labels: Labels,
  noun: string,
  where: string,
): Raw[] {
  if (Math.max(ours.length, theirs.length) > maxItems)
    return [{ name: `${noun}s`, where, expected: ours, found: theirs }]
  const { pairs, missing, surplus } = align(
    itemsOf(ours, 'expected', labels),
    itemsOf(theirs, 'found', labels),
    labels,
  )
  const named = ({ value }: Item) => ({ name: `the ${titled(value, noun)}`, where })
  const places = new Map(ours.map((value, place) => [value, place]))
  const placeOf = ({ expected }: Raw) => places.get(expected) ?? Infinity
  return [
    ...[
      ...pairs.map(([e, f]): Raw => ({ ...named(e), expected: e.value, found: f.value })),
      ...missing.map((item): Raw => ({ ...named(item), expected: item.value })),
    ].sort((a, b) => placeOf(a) - placeOf(b)),
    ...surplus.map((item): Raw => ({ ...named(item), found: item.value })),
  ]
}

interface Parts extends Pick<Walk, 'labels' | 'noun' | 'owner'> {
  comparison: ComparisonRules
}
function saysOf(raw: Raw, { labels, comparison, noun, owner }: Parts): string[] {
  if (!('expected' in raw)) return [`${raw.name} was left but should not be there`]
  if (!('found' in raw)) return [`${raw.name} is missing`]
  const says: string[] = []
  const scope = { where: raw.where, says: (path: string) => `${raw.name}${path}` }
  walk(raw.expected, raw.found, '', scope, {
    ...{ labels, noun, owner },
    tolerance: comparison.relativeTolerance,
    reduction: comparison.reduction ?? 0,
    add: (difference) => void says.push(difference.says),
    full: () => says.length >= maxSays,
  })
  return says.slice(0, maxSays)
}

function shownPair({ name, where: _, ...raw }: Raw, says: string[], labels: Labels, reduction: number): Pair {
  const room = { left: 2 * maxValues }
  const about = { name, equal: says.length === 0, says }
  if (!('expected' in raw)) return { ...about, found: one(raw.found, 'found', labels, room) }
  if (!('found' in raw)) return { ...about, expected: one(raw.expected, 'expected', labels, room) }
  const [expected, found] = both(raw.expected, raw.found, { labels, reduction, room }, 0)
  return { ...about, expected, found }
}

type Side = 'expected' | 'found'
interface Room {
  left: number
}
type Fields = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Two values with their ids as tokens; tensors at the same place are laid beside each other. */
function both(
  e: unknown,
  f: unknown,
  how: { labels: Labels; reduction: number; room: Room },
  depth: number,
): [unknown, unknown] {
  const { labels, reduction, room } = how
  if (isTensorValue(e) && isTensorValue(f)) return tensorsBeside(e.$tensor, f.$tensor, reduction)
  if (depth < maxDepth && Array.isArray(e) && Array.isArray(f) && e.length === f.length) {
    const pairs = e.map((value, n) => both(value, f[n], how, depth + 1))
    return [pairs.map(([ours]) => ours), pairs.map(([, theirs]) => theirs)]
  }
  if (depth < maxDepth && isObject(e) && isObject(f) && !isTensorValue(e) && !isTensorValue(f)) {
    const theirs = new Map(Object.keys(f).map((key) => [labels.text('found', key), key]))
    const [left, right]: [[string, unknown][], [string, unknown][]] = [[], []]
    for (const [key, value] of Object.entries(e)) {
      const name = labels.text('expected', key)
      const other = theirs.get(name)
      theirs.delete(name)
      if (other === undefined) left.push([name, one(value, 'expected', labels, room, depth + 1)])
      else {
        const [a, b] = both(value, f[other], how, depth + 1)
        left.push([name, a])
        right.push([name, b])
      }
    }
    for (const [name, key] of theirs) right.push([name, one(f[key], 'found', labels, room, depth + 1)])
    return [Object.fromEntries(left), Object.fromEntries(right)]
  }
  return [one(e, 'expected', labels, room, depth), one(f, 'found', labels, room, depth)]
}

/** A value with its ids as tokens, cut where it is too large to be read. */
function one(value: unknown, side: Side, labels: Labels, room: Room, depth = 0): unknown {
  if (room.left-- <= 0 || depth > maxDepth) return '…'
  if (typeof value === 'string') return labels.text(side, value)
  if (isTensorValue(value)) return tensorsBeside(value.$tensor, value.$tensor, 0)[0]
  if (Array.isArray(value)) return value.map((member) => one(member, side, labels, room, depth + 1))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      labels.text(side, key),
      one(member, side, labels, room, depth + 1),
    ]),
  )
}
