/**
 * An index of an evaluation's samples, in chunks of consecutive samples. A chunk is stored once all of its
 * samples have ended. It has the filter columns, the rows, and the texts of its samples.
 */
import type { BenchmarkCase, SampleRow, ScoredSample } from '@stateeval/contracts'
import type { SampleOutcome } from '@stateeval/flows'
import type { ProjectArtifacts, FixedDocuments, PromiseCache } from '@stateeval/service-kit'
import {
  type EvaluationOwner,
  type OwnerStore,
  type ItemEnds,
  loadOutcomes,
  loadProgress,
  type ProgressReader,
} from '@stateeval/jobs'
import type { BenchmarkSets } from '@stateeval/sets'
import { type ChunkColumns, type SampleColumns, buildColumns, joinColumns } from './columns.ts'
import { packTexts } from './text.ts'
import { packColumns, type StoredWhole, unpackColumns } from './whole.ts'

/** Samples per chunk. */
export const chunkSize = 500

/** A stored chunk; its rows and texts are artifacts. */
export interface StoredChunk {
  columns: ChunkColumns
  rows: string
  texts: string
}
/** A chunk whose samples have not all ended. */
interface OpenChunk {
  columns: ChunkColumns
  rows: readonly (SampleRow | null)[]
  texts: Uint8Array
}
type SampleChunk = StoredChunk | OpenChunk | null

export interface IndexSources extends ItemEnds, ProgressReader {
  owners: Pick<OwnerStore, 'benchmark'>
  sets: BenchmarkSets
  artifacts: ProjectArtifacts
  sampleChunks: FixedDocuments<StoredChunk>
  sampleWholes: FixedDocuments<StoredWhole>
  /** Columns of the evaluations in use, and findings in them. */
  indexCache: PromiseCache
  /** Rows of chunks in use. */
  chunkCache: PromiseCache
}

export interface SampleIndex {
  columns: SampleColumns
  /** Names it in a cache; undefined while samples may yet end. */
  key: string | undefined
  /** The rows of a chunk, null standing for a sample that has not ended. */
  rows(n: number): Promise<readonly (SampleRow | null)[]>
  texts(n: number): Promise<Uint8Array>
}

const formatChunkId = (id: string, n: number) => `${id}/${String(n).padStart(6, '0')}`

/**
 * The index of an evaluation; missing chunks are made. For a running evaluation, it contains the ended
 * samples.
 */
export async function sampleIndex(context: IndexSources, owner: EvaluationOwner): Promise<SampleIndex> {
  const { id, ended, stages } = owner
  const total = stages['samples']?.total ?? 0
  if (!ended) return withChunks(context, await loadChunks(context, owner, total, false), total, undefined)
  const key = `index/${id}/${ended.result}`
  return context.indexCache(key, async () => {
    const whole = (await context.sampleWholes.get(id)) ?? (await storeIndex(context, owner))
    const bytes = whole && (await context.artifacts.get(whole.columns))
    if (!whole || !bytes)
      return withChunks(context, await loadChunks(context, owner, total, true), total, key)
    return createIndex(
      context,
      unpackColumns(bytes),
      whole.chunks.map(([rows, texts]) => ({ rows, texts })),
      key,
    )
  })
}

const withChunks = (
  context: IndexSources,
  chunks: readonly SampleChunk[],
  total: number,
  key: string | undefined,
): SampleIndex => createIndex(context, joinAllColumns(chunks, total), chunks, key)

const joinAllColumns = (chunks: readonly SampleChunk[], total: number): SampleColumns =>
  joinColumns(
    chunks.map((chunk) => chunk && chunk.columns),
    chunkSize,
    total,
  )

/** Rows and texts of a chunk, or where they are. */
type ChunkPieces = Pick<StoredChunk, 'rows' | 'texts'> | Pick<OpenChunk, 'rows' | 'texts'>

function createIndex(
  { artifacts, chunkCache }: IndexSources,
  columns: SampleColumns,
  chunks: readonly (ChunkPieces | null)[],
  key: string | undefined,
): SampleIndex {
  const chunkAt = (n: number): ChunkPieces => {
    const chunk = chunks[n]
    if (!chunk) throw new Error(`the chunk ${n} has no samples`)
    return chunk
  }
  return {
    columns,
    key,
    async rows(n) {
      const { rows } = chunkAt(n)
      if (typeof rows !== 'string') return rows
      return chunkCache(`rows/${rows}`, async () => (await artifacts.getJson(rows)) as SampleRow[])
    },
    async texts(n) {
      const { texts } = chunkAt(n)
      if (typeof texts !== 'string') return texts
      const bytes = await artifacts.get(texts)
      if (!bytes) throw new Error(`there is no artifact ${texts} in the store`)
      return bytes
    },
  }
}

/**
 * Completes the index of an evaluation whose samples have all ended, so that viewers of a large evaluation
 * do not wait for it. Returns null if a sample is missing.
 */
export async function storeIndex(context: IndexSources, owner: EvaluationOwner): Promise<StoredWhole | null> {
  const total = owner.stages['samples']?.total ?? 0
  const chunks = await loadChunks(context, owner, total, true)
  const stored = chunks.filter((chunk) => chunk !== null && typeof chunk.rows === 'string') as StoredChunk[]
  if (stored.length < chunks.length) return null
  const whole: StoredWhole = {
    columns: await context.artifacts.put(packColumns(joinAllColumns(stored, total))),
    chunks: stored.map(({ rows, texts }) => [rows, texts]),
  }
  await context.sampleWholes.put(owner.id, whole)
  return whole
}

/** `whole`: all samples have ended. */
async function loadChunks(
  context: IndexSources,
  owner: EvaluationOwner,
  total: number,
  whole: boolean,
): Promise<SampleChunk[]> {
  const ids = Array.from({ length: Math.ceil(total / chunkSize) }, (_, n) => formatChunkId(owner.id, n))
  const chunks: SampleChunk[] = await context.sampleChunks.many(ids)
  // Others may be looked for in vain: those that have ended are counted.
  let left = whole ? Infinity : await countRemaining(context, owner, chunks)
  const isSet = chunks.includes(null) && (await context.owners.benchmark(owner.benchmark)) !== null
  for (const [n, stored] of chunks.entries()) {
    if (stored || left <= 0) continue
    const chunk = await openChunk(context, owner, n, isSet)
    const has = chunk.rows.filter((row) => row !== null).length
    left -= has
    chunks[n] =
      has === 0 ? null : has < chunk.rows.length ? chunk : await storeChunk(context, owner, n, chunk)
  }
  return chunks
}

/** How many samples have ended beyond those of these chunks. */
async function countRemaining(
  context: IndexSources,
  owner: EvaluationOwner,
  chunks: readonly SampleChunk[],
): Promise<number> {
  if (!chunks.includes(null) || owner.stage !== 'samples') return Infinity
  const { items } = await loadProgress(context, owner)
  return items - chunks.reduce((sum, chunk) => sum + (chunk?.columns.state.length ?? 0), 0)
}

async function storeChunk(
  { artifacts, sampleChunks }: IndexSources,
  { id }: EvaluationOwner,
  n: number,
  { columns, rows, texts }: OpenChunk,
): Promise<StoredChunk> {
  const chunk = { columns, rows: await artifacts.putJson(rows), texts: await artifacts.put(texts) }
  await sampleChunks.put(formatChunkId(id, n), chunk)
  return chunk
}

/** A chunk made from how its samples ended, and from their cases. */
async function openChunk(
  context: IndexSources,
  owner: EvaluationOwner,
  n: number,
  hasSet: boolean,
): Promise<OpenChunk> {
  const { id, benchmark, options, stages } = owner
  const from = n * chunkSize
  const to = Math.min(from + chunkSize, stages['samples']?.total ?? 0)
  const items = Array.from({ length: to - from }, (_, at) => ({
    workflow: id,
    stage: 'samples',
    index: from + at,
  }))
  const firstCase = Math.floor(from / options.samples)
  const cases: (BenchmarkCase | null)[] = []
  for (let at = firstCase; at * options.samples < to; at++)
    cases.push(hasSet ? (JSON.parse(await context.sets.line(benchmark, at)) as BenchmarkCase) : null)
  const rows: (SampleRow | null)[] = []
  const code: string[] = []
  const error: string[] = []
  let place = from
  for await (const outcome of loadOutcomes<SampleOutcome>(context, items)) {
    const c = cases[Math.floor(place / options.samples) - firstCase] ?? null
    rows.push(outcome && buildRow(outcome.scored, place, c))
    code.push(outcome?.answer ?? '')
    error.push(outcome ? formatErrorText(outcome.scored) : '')
    place++
  }
  const texts = packTexts({ instruction: cases.map((c) => c?.instruction ?? ''), code, error })
  return { columns: buildColumns(rows), rows, texts }
}

/** Characters of a reason that are shown. */
const shown = 200

function buildRow(one: ScoredSample, place: number, c: BenchmarkCase | null): SampleRow {
  return {
    place,
    case: one.case,
    sample: one.sample,
    group: c ? getCaseGroup(c) : '',
    ...describeJudgement(one),
  }
}
const getCaseGroup = (c: BenchmarkCase) => ('group' in c ? c.group : c.scenario)

function describeJudgement({ score, notScored = '' }: ScoredSample) {
  if (!score) return { passed: null, verdict: null, says: notScored.slice(0, shown) }
  const { error, differences, rootCause } = score.evidence
  const says = error ? `${error.name}: ${error.message}` : (differences[0]?.says ?? rootCause?.because ?? '')
  return {
    passed: score.passed,
    verdict: score.verdict,
    ...(rootCause && { cause: rootCause.cause }),
    says: score.passed ? '' : says.slice(0, shown),
  }
}

/** Formats the text of a sample's outcome for searches, without its instruction and its code. */
function formatErrorText({ case: id, score, notScored }: ScoredSample): string {
  const { error, differences, rootCause } = score?.evidence ?? { differences: [] }
  return [
    id,
    score?.verdict ?? notScored,
    error && `${error.name}: ${error.message}`,
    rootCause && `${rootCause.cause} ${rootCause.because}`,
    ...differences.map(({ says }) => says),
  ]
    .filter((text) => text !== undefined)
    .join('\n')
}
