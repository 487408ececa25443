/**
 * The data of a page opened from disk: compressed blocks in it, read when a view needs them. They replace a
 * service, and answer the operations of one evaluation's views.
 */
import type {
  EvaluationResource,
  EvaluationSummary,
  ReferenceAnswer,
  SampleDetail,
  SampleRow,
} from '@stateeval/contracts'
import { buildTable } from '../pure/rows.ts'
import type { EvaluationApi } from './api.ts'

interface FileContent {
  evaluation: EvaluationResource
  summary: EvaluationSummary
  /** The samples that were requested with their evidence. */
  samples: string | number
  madeAt: string
}
interface FileSample {
  detail: SampleDetail
  reference?: ReferenceAnswer
}

async function read<T>(block: Element): Promise<T> {
  const bytes = Uint8Array.from(atob(block.textContent), (letter) => letter.charCodeAt(0))
  const text = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')))
  return (await text.json()) as T
}

const listDataBlocks = (name: string) => [...document.querySelectorAll(`script.${name}[data-places]`)]

/** Caches the result of a reading. */
const readOnce = <T>(make: () => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
const readOnlyBlock = <T>(name: string) =>
  readOnce(async () => {
    const [block] = listDataBlocks(name)
    if (!block) throw new Error('This file is incomplete. Save the evaluation again.')
    return read<T>(block)
  })

export const aboutFile = readOnlyBlock<FileContent>('about')
/** The number of samples in the file with their evidence, and the number requested. */
export const heldByFile = readOnlyBlock<{ held: number; of: number }>('held')

const rows = readOnce(async () =>
  (await Promise.all(listDataBlocks('rows').map((one) => read<SampleRow[]>(one)))).flat(),
)

/** Blocks of samples by the places that they hold, and the one that was read last. */
const byPlace = readOnce(() =>
  Promise.resolve(
    new Map(
      listDataBlocks('samples').flatMap((block) =>
        (block.getAttribute('data-places') ?? '').split(' ').map((place) => [Number(place), block]),
      ),
    ),
  ),
)
let last: { block: Element; all: Promise<FileSample[]> } | undefined

async function readSample(place: number): Promise<FileSample> {
  const block = (await byPlace()).get(place)
  if (!block)
    throw new Error(
      'This file does not contain the evidence of this sample. Save the evaluation with --samples all, or look at it where it was run.',
    )
  if (last?.block !== block) last = { block, all: read<FileSample[]>(block) }
  const found = (await last.all).find(({ detail }) => detail.place === place)
  if (!found) throw new Error('This file is incomplete. Save the evaluation again.')
  return found
}

/** The reference of a case stands with each of its samples. */
async function readReference(name: string): Promise<ReferenceAnswer> {
  const places = await byPlace()
  const row = (await rows()).find((one) => one.case === name && places.has(one.place))
  const reference = row && (await readSample(row.place)).reference
  if (!reference) throw new Error('This file does not contain the reference of this case.')
  return reference
}

const answers: Partial<EvaluationApi> = {
  getEvaluation: async () => (await aboutFile()).evaluation,
  getEvaluationSummary: async () => (await aboutFile()).summary,
  listEvaluationSamples: async ({ query = {} }) => buildTable(await rows(), query),
  getEvaluationSample: async ({ params: { place } }) => (await readSample(Number(place))).detail,
  getBenchmarkReference: ({ params }) => readReference(params.case),
}
/** No view of a file uses other operations. */
export const fileApi = answers as EvaluationApi
