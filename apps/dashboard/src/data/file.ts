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
import { tableOf } from '../pure/rows.ts'
import type { Api } from './api.ts'

export interface About {
  evaluation: EvaluationResource
  summary: EvaluationSummary
  /** Which samples were wanted with their evidence. */
  samples: string | number
  madeAt: string
}
interface Held {
  detail: SampleDetail
  reference?: ReferenceAnswer
}

async function read<T>(block: Element): Promise<T> {
  const bytes = Uint8Array.from(atob(block.textContent), (letter) => letter.charCodeAt(0))
  const text = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')))
  return (await text.json()) as T
}

const blocks = (name: string) => [...document.querySelectorAll(`script.${name}[data-places]`)]

/** Caches the result of a reading. */
const once = <T>(make: () => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
const only = <T>(name: string) =>
  once(async () => {
    const [block] = blocks(name)
    if (!block) throw new Error('This file is incomplete. Save the evaluation again.')
    return read<T>(block)
  })

export const aboutFile = only<About>('about')
/** The number of samples in the file with their evidence, and the number requested. */
export const heldByFile = only<{ held: number; of: number }>('held')

const rows = once(async () => (await Promise.all(blocks('rows').map((one) => read<SampleRow[]>(one)))).flat())

/** Blocks of samples by the places that they hold, and the one that was read last. */
const byPlace = once(() =>
  Promise.resolve(
    new Map(
      blocks('samples').flatMap((block) =>
        (block.getAttribute('data-places') ?? '').split(' ').map((place) => [Number(place), block]),
      ),
    ),
  ),
)
let last: { block: Element; all: Promise<Held[]> } | undefined

async function sampleAt(place: number): Promise<Held> {
  const block = (await byPlace()).get(place)
  if (!block)
    throw new Error(
      'This file does not contain the evidence of this sample. Save the evaluation with --samples all, or look at it where it was run.',
    )
  if (last?.block !== block) last = { block, all: read<Held[]>(block) }
  const found = (await last.all).find(({ detail }) => detail.place === place)
  if (!found) throw new Error('This file is incomplete. Save the evaluation again.')
  return found
}

/** The reference of a case stands with each of its samples. */
async function referenceOf(name: string): Promise<ReferenceAnswer> {
  const places = await byPlace()
  const row = (await rows()).find((one) => one.case === name && places.has(one.place))
  const reference = row && (await sampleAt(row.place)).reference
  if (!reference) throw new Error('This file does not contain the reference of this case.')
  return reference
}

const answers: Partial<Api> = {
  getEvaluation: async () => (await aboutFile()).evaluation,
  getEvaluationSummary: async () => (await aboutFile()).summary,
  listEvaluationSamples: async ({ query = {} }) => tableOf(await rows(), query),
  getEvaluationSample: async ({ params: { place } }) => (await sampleAt(Number(place))).detail,
  getBenchmarkReference: ({ params }) => referenceOf(params.case),
}
/** No view of a file uses other operations. */
export const fileApi = answers as Api
