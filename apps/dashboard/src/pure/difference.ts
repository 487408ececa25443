/**
 * The difference between the results of a run and of the reference, as removed and added lines of JSON.
 * Each run draws new ids, so they are named by their position among the ids that the world issued.
 */
import type { Observation } from '@stateeval/contracts'

export interface Line {
  mark: 'same' | 'removed' | 'added'
  depth: number
  text: string
}

/** Levels below which values are compared as text, and lines that are shown at most. */
const [deepest, mostLines] = [60, 2_000]
/** Lists that are longer are compared place by place. */
const longestAligned = 200

type Json = unknown
const isObject = (value: Json): value is Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value with ids named by position: `id 1 (initial)`, `id 2 (created)`. */
export function withNamedIds(value: Json, world: Observation['world']): Json {
  const names = new Map([
    ...(world?.ids.initial ?? []).map((id, n) => [id, `id ${n + 1} (initial)`] as const),
    ...(world?.ids.created ?? []).map((id, n) => [id, `id ${n + 1} (created)`] as const),
  ])
  const named = (one: Json, depth: number): Json => {
    if (typeof one === 'string') return names.has(one) ? `‹${names.get(one)}›` : one
    if (depth > deepest) return one
    if (Array.isArray(one)) return one.map((member) => named(member, depth + 1))
    if (!isObject(one)) return one
    return Object.fromEntries(Object.entries(one).map(([key, member]) => [key, named(member, depth + 1)]))
  }
  return named(value, 0)
}

/** RESULT and the world's state after a run; for an incomplete run, how it ended. */
export function leftBy({ ending, world }: Observation): Json {
  const ended = ending.status === 'completed' ? { RESULT: ending.result } : { ended: ending.status }
  return withNamedIds({ ...ended, ...(world && { state: world.state }) }, world)
}

const sorted = (value: Json): Json =>
  isObject(value)
    ? Object.fromEntries(
        Object.keys(value)
          .sort()
          .map((key) => [key, value[key]]),
      )
    : value
const textOf = (value: Json) => JSON.stringify(value, (_key, member: Json) => sorted(member)) ?? 'undefined'

function allLines(value: Json, mark: Line['mark'], depth: number, name = '', comma = ''): Line[] {
  const text = JSON.stringify(value, (_key, member: Json) => sorted(member), 1) ?? 'undefined'
  const lines = text.split('\n').map((line): Line => {
    const trimmed = line.trimStart()
    return { mark, depth: depth + line.length - trimmed.length, text: trimmed }
  })
  const [first, last] = [lines[0], lines.at(-1)]
  if (first) first.text = name + first.text
  if (last) last.text += comma
  return lines
}

/** Pairs of members: those that are equal, in order, and between them one with one. */
function aligned(a: readonly Json[], b: readonly Json[]): [number | null, number | null][] {
  if (a.length > longestAligned || b.length > longestAligned)
    return Array.from({ length: Math.max(a.length, b.length) }, (_, n) => [
      n < a.length ? n : null,
      n < b.length ? n : null,
    ])
  const [left, right] = [a.map(textOf), b.map(textOf)]
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

function compare(expected: Json, found: Json, depth: number, name: string, comma: string): Line[] {
  if (textOf(expected) === textOf(found)) return allLines(expected, 'same', depth, name, comma)
  const bothLists = Array.isArray(expected) && Array.isArray(found)
  if (depth < deepest && (bothLists || (isObject(expected) && isObject(found)))) {
    const [open, close] = bothLists ? '[]' : '{}'
    const members = bothLists
      ? aligned(expected, found).flatMap(([i, j]) => member(at(expected, i), at(found, j), depth + 1, ''))
      : [...new Set([...Object.keys(expected as object), ...Object.keys(found as object)])]
          .sort()
          .flatMap((key) =>
            member(own(expected, key), own(found, key), depth + 1, `${JSON.stringify(key)}: `),
          )
    return [
      { mark: 'same', depth, text: `${name}${open}` },
      ...members,
      { mark: 'same', depth, text: `${close}${comma}` },
    ]
  }
  return [
    ...allLines(expected, 'removed', depth, name, comma),
    ...allLines(found, 'added', depth, name, comma),
  ]
}

type Held = { value: Json } | null
const at = (list: readonly Json[], n: number | null): Held => (n === null ? null : { value: list[n] })
const own = (value: Json, key: string): Held =>
  Object.hasOwn(value as object, key) ? { value: (value as Record<string, Json>)[key] } : null

function member(expected: Held, found: Held, depth: number, name: string): Line[] {
  if (expected && found) return compare(expected.value, found.value, depth, name, ',')
  if (expected) return allLines(expected.value, 'removed', depth, name, ',')
  return found ? allLines(found.value, 'added', depth, name, ',') : []
}

/** The lines of two values; `more` counts those that were left out. */
export const differenceOf = (expected: Json, found: Json): { lines: Line[]; more: number } =>
  bounded(compare(expected, found, 0, '', ''))

const bounded = (lines: Line[]) => ({
  lines: lines.slice(0, mostLines),
  more: Math.max(0, lines.length - mostLines),
})

/** The same for two values of which one may be absent. */
export function differenceOfPair(pair: { expected?: Json; found?: Json }): { lines: Line[]; more: number } {
  const { expected, found } = pair
  if (!('expected' in pair)) return bounded(allLines(found, 'added', 0))
  return 'found' in pair ? differenceOf(expected, found) : bounded(allLines(expected, 'removed', 0))
}

/** Equal lines that stand beside a difference; longer runs are folded. */
const beside = 3

/** Lines, with long equal runs as one entry that contains them. */
export function folded(lines: readonly Line[]): (Line | { folded: Line[] })[] {
  const near = new Set<number>()
  lines.forEach(({ mark }, n) => {
    if (mark !== 'same') for (let at = n - beside; at <= n + beside; at++) near.add(at)
  })
  const shown: (Line | { folded: Line[] })[] = []
  lines.forEach((line, n) => {
    const last = shown.at(-1)
    if (near.has(n)) shown.push(line)
    else if (last && 'folded' in last) last.folded.push(line)
    else shown.push({ folded: [line] })
  })
  return shown
}
