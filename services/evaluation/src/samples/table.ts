/** Pages of an evaluation's samples: filtered, searched, compared with another evaluation, and sorted. */
import { ProblemError, type SampleRow, type SampleTable, type SampleTableQuery } from '@stateeval/contracts'
import type { ThreadPool } from '@stateeval/service-kit'
import type { EvaluationOwner } from '@stateeval/jobs'
import { chunkSize, type IndexSources, type SampleIndex, sampleIndex } from './chunks.ts'
import {
  computeCaseBracket,
  type SampleColumns,
  isDifferentShare,
  selectFittingRows,
  computeShares,
  sortPlaces,
} from './columns.ts'
import { compileRe2, findRows, type TextSearch, type SearchTask } from './search.ts'

export interface TableSources extends IndexSources {
  /** Threads that search texts. */
  searchThreads: ThreadPool
}

/** The baseline of samples: the shares of another evaluation of the same set, by case. */
interface TableBaseline {
  owner: EvaluationOwner
  columns: SampleColumns
  shares: Float64Array
}

/** `baseline` is the evaluation that the query names as baseline. */
export async function sampleTable(
  context: TableSources,
  owner: EvaluationOwner,
  query: SampleTableQuery,
  baseline?: EvaluationOwner,
): Promise<SampleTable> {
  const index = await sampleIndex(context, owner)
  const against = baseline && (await openBaseline(context, baseline))
  const places = await findPlaces(context, owner, index, query, against)
  const { from = 0, limit = 50 } = query
  const { columns } = index
  return {
    ended: columns.ended,
    total: places.length,
    items: await loadRows(index, places.slice(from, from + limit), owner.options.samples, against),
    verdicts: columns.counts.verdict,
    causes: columns.counts.cause,
    groups: columns.counts.group,
  }
}

async function openBaseline(context: IndexSources, owner: EvaluationOwner): Promise<TableBaseline> {
  const { columns } = await sampleIndex(context, owner)
  return { owner, columns, shares: computeShares(columns, owner.options.samples) }
}

/**
 * The rows of the samples that have ended by now, `size` at a time. Samples that end meanwhile are left out:
 * they would move the others to other pages.
 */
export async function* sampleRowPages(
  context: IndexSources,
  owner: EvaluationOwner,
  size: number,
): AsyncGenerator<SampleRow[]> {
  const index = await sampleIndex(context, owner)
  const places = selectFittingRows(index.columns, {})
  for (let from = 0; from < places.length; from += size)
    yield await loadRows(index, places.slice(from, from + size), owner.options.samples, undefined)
}

async function loadRows(
  index: SampleIndex,
  places: readonly number[],
  samples: number,
  against: TableBaseline | undefined,
): Promise<SampleRow[]> {
  const rows: SampleRow[] = []
  for (const place of places) {
    const row = (await index.rows(Math.floor(place / chunkSize)))[place % chunkSize]
    if (!row) continue
    const at = Math.floor(place / samples)
    const share = against?.shares[at]
    if (!against || share === undefined) {
      rows.push(row)
      continue
    }
    const bracket = computeCaseBracket(against.columns, against.owner.options.samples, at)
    const baseline = Number.isNaN(share) ? null : share
    rows.push({ ...row, baseline, ...(bracket && { baselineBracket: bracket }) })
  }
  return rows
}

/** The places of all samples that fit, in their order: remembered, as the next page is of the same ones. */
async function findPlaces(
  context: TableSources,
  owner: EvaluationOwner,
  index: SampleIndex,
  query: SampleTableQuery,
  against: TableBaseline | undefined,
): Promise<readonly number[]> {
  const { from: _from, limit: _limit, ...what } = query
  const find = () => filterPlaces(context, owner, index, query, against)
  if (index.key === undefined || (against && !against.owner.ended)) return find()
  return context.indexCache(`found/${index.key}/${JSON.stringify(what)}`, find)
}

async function filterPlaces(
  context: TableSources,
  { options }: EvaluationOwner,
  index: SampleIndex,
  query: SampleTableQuery,
  against: TableBaseline | undefined,
): Promise<number[]> {
  let places = selectFittingRows(index.columns, query)
  if (against && query.differs) {
    const shares = computeShares(index.columns, options.samples)
    const caseOf = (place: number) => Math.floor(place / options.samples)
    places = places.filter((place) =>
      isDifferentShare(shares[caseOf(place)]!, against.shares[caseOf(place)]!, query.differs),
    )
  }
  const words = (query.search ?? '').split(/\s+/).filter(Boolean)
  const { pattern } = query
  if (words.length > 0 || pattern !== undefined)
    places = await searchPlaces(context, options.samples, index, places, {
      words,
      ...(pattern !== undefined && { pattern }),
      ...(query.in && { in: query.in }),
    })
  return sortPlaces(places, index.columns, query)
}

/** How long a search may take. */
const searchMs = 20_000
/** Chunks that are read and searched at once; fewer are searched in place. */
const together = 4

async function searchPlaces(
  context: TableSources,
  samples: number,
  index: SampleIndex,
  places: readonly number[],
  search: TextSearch,
): Promise<number[]> {
  if (search.pattern !== undefined) compileRe2(search.pattern)
  const chunks = [...Map.groupBy(places, (place) => Math.floor(place / chunkSize))]
  const deadline = Date.now() + searchMs
  const hits: (readonly number[])[] = []
  const work = chunks.entries()
  const worker = async () => {
    for (const [at, [n, its]] of work) {
      const first = n * chunkSize
      const firstCase = Math.floor(first / samples)
      const task: SearchTask = {
        search,
        texts: await index.texts(n),
        rows: its.map((place) => place - first),
        cases: its.map((place) => Math.floor(place / samples) - firstCase),
        deadline,
      }
      const rows =
        chunks.length <= together
          ? findRows(task)
          : await context.searchThreads.run<number[] | null>('findRows', task)
      if (!rows)
        throw new ProblemError(
          'unprocessable',
          `the search took longer than ${searchMs / 1000} s; use a shorter pattern, or filter by verdict, cause or group as well`,
          'pattern',
        )
      hits[at] = rows.map((row) => first + row)
    }
  }
  await Promise.all(Array.from({ length: together }, worker))
  return hits.flat()
}
