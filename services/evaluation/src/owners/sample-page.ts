/** Samples that have ended, page by page; while an evaluation runs, those that are not there yet are left out. */
import type { EvaluationContext } from '../context.ts'
import { itemId } from '../engine/item.ts'
import type { SampleOutcome } from '../flows/sample.ts'
import { placeOf } from '../resources.ts'
import type { EvaluationOwner } from './owner.ts'

export interface SamplePage {
  /** The samples by number, whether they have ended or not. */
  places: number[]
  /** The cursor of the next page; undefined after the last. */
  next: string | undefined
  outcomes: AsyncIterable<{ place: number; outcome: SampleOutcome }>
}

export function samplePage(
  context: EvaluationContext,
  { id, stages }: EvaluationOwner,
  { limit = 50, cursor }: { limit?: number; cursor?: string },
): SamplePage {
  const { total = 0 } = stages.samples ?? {}
  const from = placeOf(cursor)
  const to = Math.min(from + limit, total)
  const places = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at)
  async function* outcomes() {
    const ended = await context.results.many(places.map((index) => itemId({ owner: id, stage: 'samples', index })))
    for (const [at, one] of ended.entries())
      if (one) yield { place: from + at, outcome: (await context.artifacts.unpack(one.payload)) as SampleOutcome }
  }
  return { places, next: to < total ? String(to) : undefined, outcomes: outcomes() }
}
