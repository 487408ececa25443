/** One score, for each form of request. */
import { ProblemError, type Score, type ScoreItem } from '@stateeval/contracts'
import { isLong } from '@stateeval/service-kit'
import type { Context } from './context.ts'
import { scored } from './scored.ts'

/** What has more characters is scored in a thread: others are answered meanwhile. */
const maxInPlace = 128 * 1024

type Needed = Pick<Context, 'benchmark' | 'scenario' | 'artifactCache' | 'threads'>

/** First loads the artifacts that the case needs. */
export async function scoreItem(item: ScoreItem, context: Needed): Promise<Score> {
  check(item, context)
  const hashes = 'kind' in item && 'artifacts' in item.case ? (item.case.artifacts ?? []) : []
  const work = 'kind' in item ? item.candidate : [item.expected, item.observed]
  return context.artifactCache.use(hashes, (artifacts) =>
    isLong(work, maxInPlace) ? context.threads.run('score', { item, artifacts }) : scored(item, context),
  )
}

/** What the request names must be there. */
function check(item: ScoreItem, context: Pick<Needed, 'benchmark' | 'scenario'>): void {
  if ('kind' in item) {
    const benchmark = context.benchmark(item.kind)
    const { policy } = item
    if (policy !== undefined && !benchmark.policies.includes(policy)) {
      throw new ProblemError(
        'unprocessable',
        `${item.kind} has no policy ${policy}; available: ${benchmark.policies.join(', ')}`,
        '/policy',
      )
    }
    if ('scenario' in item.case) context.scenario(item.case.scenario)
    return
  }
  const { scenario, expected, observed } = item
  if (expected.length !== observed.length) {
    throw new ProblemError(
      'unprocessable',
      `there are ${expected.length} expectations and ${observed.length} observations; send one for each input`,
      '/observed',
    )
  }
  context.scenario(scenario)
}
