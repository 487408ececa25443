/**
 * The difference between the results of a run and of the reference, as removed and added lines of JSON.
 * Each run draws new ids, so they are named by their position among the ids that the world issued.
 */
import type { Observation } from '@stateeval/contracts'

export interface DifferenceLine {
  mark: 'same' | 'removed' | 'added'
  depth: number
  text: string
}

/** Levels below which values are compared as text, and lines that are shown at most. */
const [deepest, mostLines] = [60, 2_000]
/** Lists that are longer are compared place by place. */
const longestAligned = 200

type AnyJson = unknown
const isObject = (value: AnyJson): value is Readonly<Record<string, AnyJson>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value with ids named by position: `id 1 (initial)`, `id 2 (created)`. */
function withNamedIds(value: AnyJson, world: Observation['world']): AnyJson {
  const names = new Map([
    ...(world?.ids.initial ?? []).map((id, n) => [id, `id ${n + 1} (initial)`] as const),
    ...(world?.ids.created ?? []).map((id, n) => [id, `id ${n + 1} (created)`] as const),
  ])
  const named = (one: AnyJson, depth: number): AnyJson => {
    if (typeof one === 'string') return names.has(one) ? `‹${names.get(one)}›` : one
    if (depth > deepest) return one
    if (Array.isArray(one)) return one.map((member) => named(member, depth + 1))
    if (!isObject(one)) return one
    return Object.fromEntries(Object.entries(one).map(([key, member]) => [key, named(member, depth + 1)]))
  }
  return named(value, 0)
}

/** RESULT and the world's state after a run; for an incomplete run, how it ended. */
export function getLeftovers({ ending, world }: Observation): AnyJson {
  const ended = ending.status === 'completed' ? { RESULT: ending.result } : { ended: ending.status }
  return withNamedIds({ ...ended, ...(world && { state: world.state }) }, world)
}

const sortMembersDeep = (value: AnyJson): AnyJson =>
  isObject(value)
    ? Object.fromEntries(
        Object.keys(value)
          .sort()
          .map((key) => [key, value[key]]),
      )
    : value
const serializeSorted = (value: AnyJson) =>
  JSON.stringify(value, (_key, member: AnyJson) => sortMembersDeep(member)) ?? 'undefined'

function listAllLines(
  value: AnyJson,
  mark: DifferenceLine['mark'],
  depth: number,
  name = '',
  comma = '',
): DifferenceLine[] {
  const text = JSON.stringify(value, (_key, member: AnyJson) => sortMembersDeep(member), 1) ?? 'undefined'
  const lines = text.split('\n').map((line): DifferenceLine => {
    const trimmed = line.trimStart()
    return { mark, depth: depth + line.length - trimmed.length, text: trimmed }
  })
  const [first, last] = [lines[0], lines.at(-1)]
  if (first) first.text = name + first.text
  if (last) last.text += comma
  return lines
}

/** Pairs of members: those that are equal, in order, and between them one with one. */
function alignMembers(a: readonly AnyJson[], b: readonly AnyJson[]): [number | null, number | null][] {
  if (a.length > longestAligned || b.length > longestAligned)
    return Array.from({ length: Math.max(a.length, b.length) }, (_, n) => [
      n < a.length ? n : null,
      n < b.length ? n : null,
    ])
  const [left, right] = [a.map(serializeSorted), b.map(serializeSorted)]
  // Lengths of the longest common subsequences of what is left.
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i]![j] =
        left[i] === right[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!)
  const pairs: [number | null, number | null][] = []
  let [i, j] = [0, 0]
  const between = (toI: number, toJ: number) => {
    while (i < toI || j < toJ) pairs.push([i < toI ? i++ : null, j < toJ ? j++ : null])
  }
  let [atI, atJ] = [0, 0]
  while (atI < a.length && atJ < b.length) {
    if (left[atI] === right[atJ]) {
      between(atI, atJ)
      pairs.push([i++, j++])
      ;[atI, atJ] = [i, j]
    } else if (common[atI + 1]![atJ]! >= common[atI]![atJ + 1]!) atI++
    else atJ++
  }
  between(a.length, b.length)
  return pairs
}

function compare(
  expected: AnyJson,
  found: AnyJson,
  depth: number,
  name: string,
  comma: string,
): DifferenceLine[] {
  if (serializeSorted(expected) === serializeSorted(found))
    return listAllLines(expected, 'same', depth, name, comma)
  const bothLists = Array.isArray(expected) && Array.isArray(found)
  if (depth < deepest && (bothLists || (isObject(expected) && isObject(found)))) {
    const [open, close] = bothLists ? '[]' : '{}'
    const members = bothLists
      ? alignMembers(expected, found).flatMap(([i, j]) =>
          compareMember(getElement(expected, i), getElement(found, j), depth + 1, ''),
        )
      : [...new Set([...Object.keys(expected as object), ...Object.keys(found as object)])]
          .sort()
          .flatMap((key) =>
            compareMember(getOwn(expected, key), getOwn(found, key), depth + 1, `${JSON.stringify(key)}: `),
          )
    return [
      { mark: 'same', depth, text: `${name}${open}` },
      ...members,
      { mark: 'same', depth, text: `${close}${comma}` },
    ]
  }
  return [
    ...listAllLines(expected, 'removed', depth, name, comma),
    ...listAllLines(found, 'added', depth, name, comma),
  ]
}

type HeldMember = { value: AnyJson } | null
const getElement = (list: readonly AnyJson[], n: number | null): HeldMember =>
  n === null ? null : { value: list[n] }
const getOwn = (value: AnyJson, key: string): HeldMember =>
  Object.hasOwn(value as object, key) ? { value: (value as Record<string, AnyJson>)[key] } : null

function compareMember(
  expected: HeldMember,
  found: HeldMember,
  depth: number,
  name: string,
): DifferenceLine[] {
  if (expected && found) return compare(expected.value, found.value, depth, name, ',')
  if (expected) return listAllLines(expected.value, 'removed', depth, name, ',')
  return found ? listAllLines(found.value, 'added', depth, name, ',') : []
}

/** The lines of two values; `more` counts those that were left out. */
export const compareValues = (expected: AnyJson, found: AnyJson): { lines: DifferenceLine[]; more: number } =>
  limitLines(compare(expected, found, 0, '', ''))

const limitLines = (lines: DifferenceLine[]) => ({
  lines: lines.slice(0, mostLines),
  more: Math.max(0, lines.length - mostLines),
})

/** The same for two values of which one may be absent. */
export function comparePair(pair: { expected?: AnyJson; found?: AnyJson }): {
  lines: DifferenceLine[]
  more: number
} {
  const { expected, found } = pair
  if (!('expected' in pair)) return limitLines(listAllLines(found, 'added', 0))
  return 'found' in pair ? compareValues(expected, found) : limitLines(listAllLines(expected, 'removed', 0))
}

/** Equal lines that stand beside a difference; longer runs are folded. */
const beside = 3

/** Lines, with long equal runs as one entry that contains them. */
export function foldLines(
  lines: readonly DifferenceLine[],
): (DifferenceLine | { folded: DifferenceLine[] })[] {
  const near = new Set<number>()
  lines.forEach(({ mark }, n) => {
    if (mark !== 'same') for (let at = n - beside; at <= n + beside; at++) near.add(at)
  })
  const shown: (DifferenceLine | { folded: DifferenceLine[] })[] = []
  lines.forEach((line, n) => {
    const last = shown.at(-1)
    if (near.has(n)) shown.push(line)
    else if (last && 'folded' in last) last.folded.push(line)
    else shown.push({ folded: [line] })
  })
  return shown
}
