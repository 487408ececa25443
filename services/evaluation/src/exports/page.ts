/**
 * An evaluation as one HTML file: the dashboard with the data of one evaluation, which opens from disk.
 * Data are JSON in compressed base64 blocks, so foreign text can neither end a block nor become markup.
 * Blocks are written one at a time, so memory never holds a whole page.
 */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type {
  EvaluationResource,
  EvaluationSummary,
  ReferenceAnswer,
  SampleDetail,
  SampleRow,
} from '@stateeval/contracts'
import type { EvaluationItems } from '../owners/evaluation-items.ts'
import type { EvaluationOwner, OwnerStore } from '@stateeval/jobs'
import { loadReference, type ReferenceSources } from '@stateeval/sets'
import { sampleDetail } from '../owners/sample-detail.ts'
import type { IndexSources } from '../samples/chunks.ts'
import { sampleRowPages } from '../samples/table.ts'

export type PageSources = IndexSources &
  ReferenceSources &
  EvaluationItems & { owners: Pick<OwnerStore, 'benchmark'> }

export interface PageAsked {
  /** The built page before and after its data. */
  frame: readonly [before: string, after: string]
  evaluation: EvaluationResource
  summary: EvaluationSummary
  /** The samples that are included with their evidence. */
  samples: 'failed' | 'all' | 'none' | number
  madeAt: string
}

/** Bytes of evidence that a page has at most, as they stand in it; and of a block, before compression. */
const maxBytes = 64 * 1024 * 1024
const blockBytes = 512 * 1024
const rowsOfBlock = 5_000

const compress = promisify(gzip)

/** A block of data, which is no script to a browser. */
async function formatDataBlock(name: string, json: string, places = ''): Promise<string> {
  const bytes = await compress(json)
  return `<script type="text/plain" class="${name}" data-places="${places}">${bytes.toString('base64')}</script>\n`
}

const isWanted = (samples: PageAsked['samples'], { passed }: SampleRow) =>
  samples === 'failed' ? passed !== true : samples !== 'none'

/** The data of a sample in a page. */
interface PageSample {
  detail: SampleDetail
  /** Absent where the set was deleted. */
  reference?: ReferenceAnswer
}

/** The pieces of a page of an evaluation. */
export async function* writePage(
  context: PageSources,
  owner: EvaluationOwner,
  asked: PageAsked,
): AsyncGenerator<string> {
  const { samples } = asked
  const places: number[] = []
  async function* rows() {
    for await (const items of sampleRowPages(context, owner, rowsOfBlock)) {
      for (const row of items) if (isWanted(samples, row)) places.push(row.place)
      if (typeof samples === 'number') places.splice(samples)
      yield items
    }
  }
  async function* all() {
    for (const place of places) {
      const held = await loadPageSample(context, owner, place)
      if (held) yield held
    }
  }
  yield* writePageOf(asked, rows(), all(), () => places.length)
}

/**
 * A page of the available data: first the rows, then samples with their evidence. The page states how many
 * of the samples it contains.
 */
export async function* writePageOf(
  { frame, ...about }: PageAsked,
  rows: AsyncIterable<readonly SampleRow[]>,
  all: AsyncIterable<PageSample>,
  wanted: () => number,
): AsyncGenerator<string> {
  yield frame[0]
  yield await formatDataBlock('about', JSON.stringify(about))
  for await (const some of rows) yield await formatDataBlock('rows', JSON.stringify(some))
  let [bytes, held] = [0, 0]
  for await (const some of joinSamples(all)) {
    const json = `[${some.map((one) => one.json).join()}]`
    const text = await formatDataBlock('samples', json, some.map(({ place }) => place).join(' '))
    if (bytes + text.length > maxBytes) break
    bytes += text.length
    held += some.length
    yield text
  }
  yield await formatDataBlock('held', JSON.stringify({ held, of: wanted() }))
  yield frame[1]
}

/** Samples as JSON, by blocks. */
async function* joinSamples(
  all: AsyncIterable<PageSample>,
): AsyncGenerator<{ place: number; json: string }[]> {
  let [some, size]: [{ place: number; json: string }[], number] = [[], 0]
  for await (const held of all) {
    const json = JSON.stringify(held)
    some.push({ place: held.detail.place, json })
    size += json.length
    if (size < blockBytes) continue
    yield some
    ;[some, size] = [[], 0]
  }
  if (some.length > 0) yield some
}

async function loadPageSample(
  context: PageSources,
  owner: EvaluationOwner,
  place: number,
): Promise<PageSample | null> {
  const detail = await sampleDetail(context, owner, place)
  if (!detail) return null
  if (!(await context.owners.benchmark(owner.benchmark))) return { detail }
  const { samples, language } = owner.options
  const c = await context.sets.case(owner.benchmark, Math.floor(place / samples))
  return { detail, reference: await loadReference(context, owner.set.kind, c, language) }
}
