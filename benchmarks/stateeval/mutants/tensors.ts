/**
 * Tensors of two runs laid beside each other as wholes: by the size of their difference, where the scorer
 * looks at each element.
 */
import type { TensorData, TensorSummarized } from '@stateeval/contracts'
import { decodeBase64, hasData, hasSummary, isTensorLike, readNumbers } from '@stateeval/program'

/**
 * The root mean square of the difference, as a share of that of the tensor: far above rounding, far below any
 * mistake.
 */
const share = 1e-3

type TakenTensor = TensorData | TensorSummarized

/** A value with its tensors taken out: a text of dtype and shape stands where each was. */
export function takeOutTensors(value: unknown): { value: unknown; tensors: TakenTensor[] } {
  const tensors: TakenTensor[] = []
  const walk = (now: unknown): unknown => {
    if (now === null || typeof now !== 'object') return now
    if (isTensorLike(now) && (hasData(now) || hasSummary(now))) {
      tensors.push(now.$tensor)
      return `<tensor ${now.$tensor.dtype} ${now.$tensor.shape.join('x')}>`
    }
    if (Array.isArray(now)) return now.map(walk)
    // In the order of the keys' names, so that both runs' tensors are met alike.
    const keys = Object.keys(now).sort()
    return Object.fromEntries(keys.map((key) => [key, walk((now as Record<string, unknown>)[key])]))
  }
  return { value: walk(value), tensors }
}

export const hasSameTensors = (a: readonly TakenTensor[], b: readonly TakenTensor[]) =>
  a.length === b.length && a.every((one, n) => isAlikeTensor(one, b[n] as TakenTensor))

/**
 * The elements; of a summary its sums: with signs as good as random, the squares of their differences add up
 * to those of the elements, in the mean.
 */
const readElements = (tensor: TakenTensor) =>
  'summary' in tensor
    ? readNumbers('float64', decodeBase64(tensor.summary.sums))
    : readNumbers(tensor.dtype, decodeBase64(tensor.data))

function isAlikeTensor(a: TakenTensor, b: TakenTensor): boolean {
  if ('summary' in a !== 'summary' in b) return false
  if ('summary' in a && 'summary' in b && a.summary.odd?.places !== b.summary.odd?.places) return false
  const [ours, theirs] = [a, b].map(readElements) as [Float64Array, Float64Array]
  let [apart, size] = [0, 0]
  for (const [at, one] of ours.entries()) {
    const other = theirs[at] as number
    if (!Number.isFinite(one) || !Number.isFinite(other)) {
      if (!Object.is(one, other)) return false
      continue
    }
    apart += (one - other) ** 2
    size += one ** 2
  }
  return apart <= share ** 2 * size
}
