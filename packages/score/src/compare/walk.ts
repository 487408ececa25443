/** Compares two values, and reports in words where they differ. */
import type { ValueDifference } from '@stateeval/contracts'
import type { IdLabels } from './labels.ts'
import { isSameNumber } from './numbers.ts'
import { formatMember, show, showApart } from './show.ts'
import { isTensorValue, describeTensorDifference } from './tensors.ts'

export interface ComparisonWalk {
  labels: IdLabels
  tolerance: number
  reduction: number
  noun: string
  /** Names the item that an id belongs to, for messages. */
  owner: (side: 'expected' | 'found', id: string) => string
  add: (difference: ValueDifference) => void
  full: () => boolean
}

/** The compared place: its name in the report, and the name of a part of it in sentences. */
interface ComparisonScope {
  where: string
  says: (path: string) => string
}

/** Reports the differences of two values at `path` of a scope. */
export function walk(e: unknown, f: unknown, path: string, scope: ComparisonScope, w: ComparisonWalk): void {
  if (w.full()) return
  const where = scope.where + path
  const says = scope.says(path)
  const differ = (sentence?: string) => {
    const [expected, found] = showApart(e, f, w.labels)
    // Long lists and tensors may look alike as far as they are shown: the sentence says how they differ.
    const values = expected === found ? {} : { expected, found }
    w.add({ where, ...values, says: sentence ?? `${says} is ${found}, expected ${expected}` })
  }
  if (typeof e === 'string' && typeof f === 'string') {
    if (!isSameText(e, f, w.labels)) differ(describeIdDifference(e, f, says, w))
  } else if (typeof e === 'number' && typeof f === 'number') {
    if (!isSameNumber(e, f, w.tolerance)) differ()
  } else if (isTensorValue(e) && isTensorValue(f)) {
    const sentence = describeTensorDifference(e.$tensor, f.$tensor, says, w.reduction)
    if (sentence !== null) differ(sentence)
  } else if (isTensorValue(e)) differ()
  else if (
    e === null ||
    f === null ||
    typeof e !== 'object' ||
    typeof f !== 'object' ||
    Array.isArray(e) !== Array.isArray(f)
  ) {
    if (e !== f) differ()
  } else if (Array.isArray(e)) compareLists(e, f as unknown[], path, scope, w, differ)
  else compareObjects(e as WalkFields, f as WalkFields, path, scope, w)
}

type WalkFields = Record<string, unknown>

function compareLists(
  e: unknown[],
  f: unknown[],
  path: string,
  scope: ComparisonScope,
  w: ComparisonWalk,
  differ: (sentence: string) => void,
) {
  if (e.length !== f.length) {
    const noun = [...e, ...f].every((item) => isItem(item, w.labels))
      ? `${w.noun}${f.length === 1 ? '' : 's'}`
      : f.length === 1
        ? 'element'
        : 'elements'
    return differ(`${scope.says(path)} has ${f.length} ${noun}, expected ${e.length}`)
  }
  const ours = e.map((item) => show(item, 'expected', w.labels))
  const theirs = f.map((item) => show(item, 'found', w.labels))
  if (ours.join() !== theirs.join() && ours.toSorted().join() === theirs.toSorted().join())
    return differ(`${scope.says(path)} has the expected elements in another order`)
  for (const [index, item] of e.entries()) walk(item, f[index], path + formatMember(index), scope, w)
}

function compareObjects(
  e: WalkFields,
  f: WalkFields,
  path: string,
  scope: ComparisonScope,
  w: ComparisonWalk,
) {
  // Keys may hold ids: they are laid side by side as tokens.
  const theirs = new Map(
    Object.keys(f)
      .slice(0, 5000)
      .map((key) => [w.labels.text('found', key), key]),
  )
  const add = (name: string, difference: Omit<ValueDifference, 'where'>) =>
    w.add({ where: scope.where + path + formatMember(name), ...difference })
  for (const key of Object.keys(e).toSorted()) {
    const name = w.labels.text('expected', key)
    const other = theirs.get(name)
    theirs.delete(name)
    if (other !== undefined) walk(e[key], f[other], path + formatMember(name), scope, w)
    else
      add(name, {
        expected: show(e[key], 'expected', w.labels),
        says: `${scope.says(path)} has no ${JSON.stringify(name)}`,
      })
  }
  for (const [name, key] of [...theirs].sort(([a], [b]) => (a < b ? -1 : 1))) {
    add(name, {
      found: show(f[key], 'found', w.labels),
      says: `${scope.says(path)} has ${JSON.stringify(name)}, which is not expected`,
    })
  }
}

const isItem = (value: unknown, labels: IdLabels) => {
  const id = value !== null && typeof value === 'object' ? (value as { id?: unknown }).id : undefined
  return typeof id === 'string' && (labels.expectedIds.info(id) ?? labels.foundIds.info(id)) !== undefined
}

/** Equal up to the ids that correspond; an id met for the first time is taken to correspond if it can. */
function isSameText(e: string, f: string, labels: IdLabels): boolean {
  const [ours, theirs] = [labels.expectedIds.split(e), labels.foundIds.split(f)]
  if (ours.length !== theirs.length) return false
  return ours.every((part, index) => {
    const other = theirs[index] as string
    if (index % 2 === 0) return part === other
    const [a, b] = [labels.expectedIds.info(part), labels.foundIds.info(other)]
    if (a?.kind !== b?.kind) return false
    if (a?.kind === 'initial') return a.index === b?.index
    return labels.pair(part, other)
  })
}

function describeIdDifference(e: string, f: string, says: string, w: ComparisonWalk): string | undefined {
  const ours = w.labels.expectedIds.info(e)
  if (!ours) return undefined
  const expected = `${w.labels.expected(e)}, the id of ${w.owner('expected', e)}`
  if (!w.labels.foundIds.info(f))
    return `${says} is ${show(f, 'found', w.labels)}, which is not an id of this run; expected ${expected}`
  return `${says} is ${w.labels.found(f)}, the id of ${w.owner('found', f)}; expected ${expected}`
}
