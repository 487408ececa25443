/** Predictions of tensors whose values are made in a run only: large ones. */
import { isTensor, isTensorLike } from '@stateeval/program'

/**
 * The prediction with the run's own values where it tells only dtype and shape of a tensor and both agree:
 * values are then held by the other runs alone.
 */
export function takeRunValues(ran: unknown, predicted: unknown): unknown {
  if (predicted === null || typeof predicted !== 'object') return predicted
  if (isTensorLike(predicted)) {
    if (isTensor(predicted) || !isTensor(ran)) return predicted
    const [ours, theirs] = [predicted.$tensor as { dtype?: unknown; shape?: unknown }, ran.$tensor]
    const isSame = ours.dtype === theirs.dtype && JSON.stringify(ours.shape) === JSON.stringify(theirs.shape)
    return isSame ? ran : predicted
  }
  if (Array.isArray(predicted))
    return predicted.map((item, at) => takeRunValues(Array.isArray(ran) ? ran[at] : undefined, item))
  const others = (ran ?? {}) as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(predicted).map(([key, item]) => [key, takeRunValues(others[key], item)]),
  )
}
