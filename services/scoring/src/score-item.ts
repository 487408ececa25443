/** One score, for each form of request. */
import type { Score, ScoreItem } from '@stateeval/contracts'
import type { ScoringContext } from './context.ts'
import { checkNames } from './known.ts'
import { isLongItem, type ItemNames, resolveNames } from './score-order.ts'
import { scoreItemAtOnce } from './scored.ts'

type ItemContext = Pick<ScoringContext, 'benchmark' | 'scenario' | 'artifactCache' | 'threads'>

/** The bound on a comparison's steps ends it well before. */
const longestMs = 100_000

/**
 * Loads the artifacts that the case needs, and scores here or, if that takes long, in a thread.
 * @param item as JSON text if it is known to be long
 */
export async function scoreItem(
  item: ScoreItem | string,
  context: ItemContext,
  { names, signal }: { names?: ItemNames; signal?: AbortSignal } = {},
): Promise<Score> {
  const { artifacts: hashes, ...named } = names ?? resolveNames(item as ScoreItem)
  checkNames({ ...named, artifacts: hashes }, context)
  return context.artifactCache.use(hashes, async (artifacts) => {
    const score = typeof item === 'string' || isLongItem(item) ? null : scoreItemAtOnce(item, context)
    if (score) return score
    const text = typeof item === 'string' ? item : JSON.stringify(item)
    const limits = { maxMs: longestMs, ...(signal && { signal }) }
    return context.threads.run<Score>('score', { item: text, artifacts }, limits)
  })
}
