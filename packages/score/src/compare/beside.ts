/**
 * The results of a run next to the reference's, paired as the comparison explains them, for readers. This
 * does not affect the verdict.
 */
import type { PairedRun } from '@stateeval/contracts'
import { readPath, type ComparisonRules } from '@stateeval/program'
import type { ComparedOutcome } from './compare.ts'
import { collectOwners, removeLists } from './explain.ts'
import { findPairThroughResult } from './hints.ts'
import { IdTable } from './ids.ts'
import { alignItems, type ComparedItem, collectItems, maxItems, formatItemTitle } from './items.ts'
import { IdLabels } from './labels.ts'
import { maskOutcome } from './masked.ts'
import { formatMember } from './show.ts'
import { isTensorValue, showTensorsBeside } from './tensors.ts'
import { type ComparisonWalk, walk } from './walk.ts'

type ComparedPair = PairedRun['parts'][number]['pairs'][number]
/** Two values of which one may be absent, as they are; `says` is filled when they were walked. */
interface RawPair {
  name: string
  where: string
  expected?: unknown
  found?: unknown
}

/** Sentences of one pair, values that are shown of one side of it, and levels of them. */
const [maxSays, maxValues, maxDepth] = [12, 4_000, 60]

export function pairOutcomes(
  ownOutcome: ComparedOutcome,
  otherOutcome: ComparedOutcome,
  comparison: ComparisonRules,
): PairedRun {
  const expected = maskOutcome(ownOutcome, comparison)
  const actual = maskOutcome(otherOutcome, comparison)
  const labels = new IdLabels(new IdTable(expected.world), new IdTable(actual.world))
  const noun = comparison.noun ?? 'item'
  const owners = { expected: collectOwners(expected, comparison), found: collectOwners(actual, comparison) }
  findPairThroughResult(expected.result, actual.result, owners, labels)
  const lists = comparison.unordered.flatMap((path) => {
    const [ours, theirs] = [expected, actual].map(({ world }) => readPath(world.state, path))
    if (!Array.isArray(ours) || !Array.isArray(theirs)) return []
    const where = `state${path.map(formatMember).join('')}`
    return [{ path, where, pairs: pairItems(ours, theirs, labels, noun, where) }]
  })
  const [ours, theirs] = [expected, actual].map(({ world }) =>
    removeLists(
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
  const owner: ComparisonWalk['owner'] = (side, id) => `the ${formatItemTitle(owners[side].get(id), noun)}`
  const walked = (raw: RawPair) => describePair(raw, { labels, comparison, noun, owner })
  // Ids are paired while values are walked: all are, before any is shown.
  const said = parts.map(({ pairs }) => pairs.map(walked))
  return {
    parts: parts.map(({ where, pairs }, part) => ({
      where,
      pairs: pairs.map((raw, n) => buildShownPair(raw, said[part]![n]!, labels, comparison.reduction ?? 0)),
    })),
  }
}

const isEmpty = (value: unknown) =>
  value === null ||
  value === undefined ||
  (typeof value === 'object' && Object.values(value).every((one) => one === null))

function pairItems(
  ours: readonly unknown[],
  theirs: readonly unknown[],
  labels: IdLabels,
  noun: string,
  where: string,
): RawPair[] {
  if (Math.max(ours.length, theirs.length) > maxItems)
    return [{ name: `${noun}s`, where, expected: ours, found: theirs }]
  const { pairs, missing, surplus } = alignItems(
    collectItems(ours, 'expected', labels),
    collectItems(theirs, 'found', labels),
    labels,
  )
  const named = ({ value }: ComparedItem) => ({ name: `the ${formatItemTitle(value, noun)}`, where })
  const places = new Map(ours.map((value, place) => [value, place]))
  const placeOf = ({ expected }: RawPair) => places.get(expected) ?? Infinity
  return [
    ...[
      ...pairs.map(([e, f]): RawPair => ({ ...named(e), expected: e.value, found: f.value })),
      ...missing.map((item): RawPair => ({ ...named(item), expected: item.value })),
    ].sort((a, b) => placeOf(a) - placeOf(b)),
    ...surplus.map((item): RawPair => ({ ...named(item), found: item.value })),
  ]
}

interface PairContext extends Pick<ComparisonWalk, 'labels' | 'noun' | 'owner'> {
  comparison: ComparisonRules
}
function describePair(raw: RawPair, { labels, comparison, noun, owner }: PairContext): string[] {
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

function buildShownPair(
  { name, where: _, ...raw }: RawPair,
  says: string[],
  labels: IdLabels,
  reduction: number,
): ComparedPair {
  const room = { left: 2 * maxValues }
  const about = { name, equal: says.length === 0, says }
  if (!('expected' in raw)) return { ...about, found: showValue(raw.found, 'found', labels, room) }
  if (!('found' in raw)) return { ...about, expected: showValue(raw.expected, 'expected', labels, room) }
  const [expected, found] = showBoth(raw.expected, raw.found, { labels, reduction, room }, 0)
  return { ...about, expected, found }
}

type PairSide = 'expected' | 'found'
interface RemainingRoom {
  left: number
}
type FieldRecord = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is FieldRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Two values with their ids as tokens; tensors at the same place are laid beside each other. */
function showBoth(
  e: unknown,
  f: unknown,
  how: { labels: IdLabels; reduction: number; room: RemainingRoom },
  depth: number,
): [unknown, unknown] {
  const { labels, reduction, room } = how
  if (isTensorValue(e) && isTensorValue(f)) return showTensorsBeside(e.$tensor, f.$tensor, reduction)
  if (depth < maxDepth && Array.isArray(e) && Array.isArray(f) && e.length === f.length) {
    const pairs = e.map((value, n) => showBoth(value, f[n], how, depth + 1))
    return [pairs.map(([ours]) => ours), pairs.map(([, theirs]) => theirs)]
  }
  if (depth < maxDepth && isObject(e) && isObject(f) && !isTensorValue(e) && !isTensorValue(f)) {
    const theirs = new Map(Object.keys(f).map((key) => [labels.text('found', key), key]))
    const [left, right]: [[string, unknown][], [string, unknown][]] = [[], []]
    for (const [key, value] of Object.entries(e)) {
      const name = labels.text('expected', key)
      const other = theirs.get(name)
      theirs.delete(name)
      if (other === undefined) left.push([name, showValue(value, 'expected', labels, room, depth + 1)])
      else {
        const [a, b] = showBoth(value, f[other], how, depth + 1)
        left.push([name, a])
        right.push([name, b])
      }
    }
    for (const [name, key] of theirs) right.push([name, showValue(f[key], 'found', labels, room, depth + 1)])
    return [Object.fromEntries(left), Object.fromEntries(right)]
  }
  return [showValue(e, 'expected', labels, room, depth), showValue(f, 'found', labels, room, depth)]
}

/** A value with its ids as tokens, cut where it is too large to be read. */
function showValue(
  value: unknown,
  side: PairSide,
  labels: IdLabels,
  room: RemainingRoom,
  depth = 0,
): unknown {
  if (room.left-- <= 0 || depth > maxDepth) return '…'
  if (typeof value === 'string') return labels.text(side, value)
  if (isTensorValue(value)) return showTensorsBeside(value.$tensor, value.$tensor, 0)[0]
  if (Array.isArray(value)) return value.map((member) => showValue(member, side, labels, room, depth + 1))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      labels.text(side, key),
      showValue(member, side, labels, room, depth + 1),
    ]),
  )
}
