/**
 * The columns by which samples are filtered and sorted. They contain small numbers, because an evaluation
 * may have 100 000 samples.
 */
import type { RateBracket, SampleRow, SampleTableQuery } from '@stateeval/contracts'
import { computeRateBracket } from '@stateeval/score'

/** How a sample stands: one character each. */
const getSampleState = (row: SampleRow | null) =>
  row === null ? ' ' : row.passed === null ? 'n' : row.passed ? 'p' : 'f'

/** The columns that hold names. */
export const named = ['verdict', 'cause', 'group'] as const
export type NamedColumn = (typeof named)[number]
type SampleNameColumn = NamedColumn

/** One of the columns that hold names: the places of the names in the list; -1 where there is none. */
interface NameColumn {
  names: string[]
  at: number[]
}
/** The stored columns of consecutive samples. */
export type ChunkColumns = { state: string } & Record<SampleNameColumn, NameColumn>

/** Names in the order in which they come; each has the place where it came first. */
function createNameList() {
  const names: string[] = []
  const places = new Map<string, number>()
  const placeOf = (name: string): number => {
    const known = places.get(name)
    if (known !== undefined) return known
    places.set(name, names.length)
    return names.push(name) - 1
  }
  return { names, placeOf }
}

export function buildColumns(rows: readonly (SampleRow | null)[]): ChunkColumns {
  const column = (name: SampleNameColumn): NameColumn => {
    const list = createNameList()
    const at = rows.map((row) => {
      const value = row?.[name]
      return value ? list.placeOf(value) : -1
    })
    return { names: list.names, at }
  }
  return {
    state: rows.map(getSampleState).join(''),
    verdict: column('verdict'),
    cause: column('cause'),
    group: column('group'),
  }
}

/** A column of names over all samples. */
export interface NamePlaces {
  names: string[]
  at: Int32Array
}
/** How many samples have each name, by column. */
export type NamedCounts = Record<SampleNameColumn, Record<string, number>>
export type SampleColumns = { state: string; ended: number; counts: NamedCounts } & Record<
  SampleNameColumn,
  NamePlaces
>

/** The columns of chunks, joined; null represents a chunk without ended samples. */
export function joinColumns(
  chunks: readonly (ChunkColumns | null)[],
  size: number,
  total: number,
): SampleColumns {
  const lengthOf = (n: number) => Math.min(size, total - n * size)
  const column = (name: SampleNameColumn): NamePlaces => {
    const list = createNameList()
    const at = new Int32Array(total).fill(-1)
    chunks.forEach((chunk, n) => {
      if (!chunk) return
      const here = chunk[name].names.map(list.placeOf)
      chunk[name].at.forEach((place, row) => {
        if (place >= 0) at[n * size + row] = here[place] as number
      })
    })
    return { names: list.names, at }
  }
  const state = chunks.map((chunk, n) => chunk?.state ?? ' '.repeat(lengthOf(n))).join('')
  let ended = 0
  for (let place = 0; place < state.length; place++) if (state[place] !== ' ') ended++
  const [verdict, cause, group] = [column('verdict'), column('cause'), column('group')]
  const counts = { verdict: countByName(verdict), cause: countByName(cause), group: countByName(group) }
  return { state, ended, counts, verdict, cause, group }
}

/** The number of samples by name. */
function countByName({ names, at }: NamePlaces): Record<string, number> {
  const counts = new Uint32Array(names.length)
  for (const place of at) if (place >= 0) counts[place]!++
  return Object.fromEntries(
    names.map((name, n) => [name, counts[n] as number] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

const states = { yes: 'p', no: 'f', 'not scored': 'n' } as const

/** The positions of the ended samples that match a query's filters on columns. */
export function selectFittingRows(columns: SampleColumns, query: SampleTableQuery): number[] {
  const wanted = named.flatMap((name) => {
    const value = query[name]
    return value === undefined ? [] : [{ at: columns[name].at, place: columns[name].names.indexOf(value) }]
  })
  // A name that no ended sample has gets -1.
  if (wanted.some(({ place }) => place < 0)) return []
  const state = query.passed && states[query.passed]
  const { state: all } = columns
  // The first look at an evaluation waits for this: plain loops, which are fast before they are compiled.
  const places: number[] = []
  for (let place = 0; place < all.length; place++) {
    const its = all[place]
    if (its === ' ' || (state !== undefined && its !== state)) continue
    let fits = true
    for (const { at, place: name } of wanted) fits &&= at[place] === name
    if (fits) places.push(place)
  }
  return places
}

/**
 * Sorts positions by a column of names; samples without a name come last, and equal ones keep the order of
 * the set.
 */
export function sortPlaces(
  places: number[],
  columns: SampleColumns,
  { sort, order }: SampleTableQuery,
): number[] {
  if (sort === undefined || sort === 'place') return order === 'falling' ? places.toReversed() : places
  const { names, at } = columns[sort]
  const ranks = new Int32Array(names.length)
  const rising = names.map((_, n) => n).sort((a, b) => ((names[a] ?? '') < (names[b] ?? '') ? -1 : 1))
  rising.forEach((name, rank) => (ranks[name] = order === 'falling' ? names.length - rank : rank))
  const rankOf = (place: number) => (at[place]! < 0 ? Infinity : ranks[at[place]!]!)
  return places.toSorted((a, b) => rankOf(a) - rankOf(b) || a - b)
}

/** For each case, the share of its scored samples that passed; NaN without a scored sample. */
export function computeShares({ state }: SampleColumns, samples: number): Float64Array {
  const shares = new Float64Array(Math.ceil(state.length / samples))
  for (let n = 0; n < shares.length; n++) {
    const ofCase = state.slice(n * samples, (n + 1) * samples)
    let [passed, scored] = [0, 0]
    for (const one of ofCase) {
      if (one === 'p') passed++
      if (one === 'p' || one === 'f') scored++
    }
    shares[n] = passed / scored
  }
  return shares
}

/** The ends of a case's share by its samples that ended without a score; undefined if it has none. */
export function computeCaseBracket(
  { state }: Pick<SampleColumns, 'state'>,
  samples: number,
  at: number,
): RateBracket | undefined {
  const ofCase = state.slice(at * samples, (at + 1) * samples)
  const countOf = (one: string) => ofCase.split(one).length - 1
  const passed = countOf('p')
  return computeRateBracket(passed, passed + countOf('f'), countOf('n'))
}

/** Tells whether a case's share differs from the baseline's in that direction. */
export function isDifferentShare(share: number, baseline: number, how: SampleTableQuery['differs']): boolean {
  if (how === 'better') return share > baseline
  if (how === 'worse') return share < baseline
  return share > baseline || share < baseline
}
