/**
 * Large tensors are compared by their summaries. `room`, the most that two elements may be apart, bounds how
 * far everything in a summary may be apart (docs/decisions/large-tensors.md):
 *
 * - least and largest element, and each sample, by `room`: changing every element by so much moves none
 *   further.
 * - a block's sum, whose signs are as good as random, by 8·√n·room for n elements: Hoeffding's inequality
 *   lets one of a thousand blocks exceed that once in 10¹⁰ comparisons.
 *
 * Where nothing may be rounded, the hashes must be equal.
 */
import type { TensorDtype, TensorSummarized } from '@stateeval/contracts'
import { chooseBlockSize, decodeBase64, countElements, readNumbers, samplePlace } from '@stateeval/program'

/** How many standard deviations of a sum of signs are allowed. */
const deviations = 8
/** Sums are made in double precision, in any order: twice the bound of a sum's rounding. */
const sumRounding = 2 ** -52

interface SummaryDifference {
  /** Number of blocks with a difference. */
  blocks: number
  total: number
  /** A sample that differs. */
  sample?: { place: number; expected: number; actual: number }
  /** Further differences, as the end of a sentence. */
  says?: string
}

/** How two summaries of tensors with equal dtype and shape differ; null if the tensors count as equal. */
export function compareSummaries(
  e: TensorSummarized,
  f: TensorSummarized,
  toleranceOf: (dtype: TensorDtype) => number,
): SummaryDifference | null {
  const [ours, theirs] = [e.summary, f.summary]
  if (ours.sha256 === theirs.sha256) return null
  const count = countElements(e.shape)
  const size = chooseBlockSize(count)
  const total = Math.ceil(count / size)
  const largest = Math.max(Math.abs(ours.least), Math.abs(ours.most))
  const room = toleranceOf(e.dtype) * largest
  const [samples, otherSamples] = [decodeNumbers(ours.samples), decodeNumbers(theirs.samples)]
  const [sums, otherSums] = [decodeNumbers(ours.sums), decodeNumbers(theirs.sums)]
  const lengthOf = (block: number) => Math.min(size, count - block * size)
  if ([samples, otherSamples, sums, otherSums].some(({ length }) => length !== total))
    return { blocks: total, total, says: 'its summary is of another tensor' }
  let blocks = 0
  let sample: SummaryDifference['sample']
  for (let block = 0; block < total; block++) {
    const length = lengthOf(block)
    const sumRoom = deviations * Math.sqrt(length) * room + sumRounding * length ** 2 * largest
    const [expected, actual] = [samples[block]!, otherSamples[block]!]
    const isSampleOff = !isNear(expected, actual, room)
    if (isSampleOff) sample ??= { place: block * size + samplePlace(block, length), expected, actual }
    if (isSampleOff || !(Math.abs(sums[block]! - otherSums[block]!) <= sumRoom)) blocks++
  }
  const apart = { blocks, total, ...(sample && { sample }) }
  if (describeOddCounts(ours.odd) !== describeOddCounts(theirs.odd))
    return {
      ...apart,
      says: `it has ${describeOddCounts(theirs.odd)}, expected ${describeOddCounts(ours.odd)}`,
    }
  for (const end of ['least', 'most'] as const)
    if (!isNear(ours[end], theirs[end], room))
      return { ...apart, says: `its ${end === 'least' ? 'least' : 'largest'} element differs` }
  return blocks > 0 || room === 0 ? apart : null
}

const decodeNumbers = (text: string) => readNumbers('float64', decodeBase64(text))

/** NaN is NaN, an infinity the same infinity. */
const isNear = (e: number, f: number, room: number) =>
  e === f || (Number.isNaN(e) && Number.isNaN(f)) || Math.abs(e - f) <= room

function describeOddCounts(counts: TensorSummarized['summary']['odd']): string {
  const { nan = 0, up = 0, down = 0 } = counts ?? {}
  return `${nan} NaN, ${up} infinities and ${down} negative ones${counts ? ` (places ${counts.places})` : ''}`
}
