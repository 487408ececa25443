/** Samples that have ended, page by page, all or those of one case; while an evaluation runs, others are left out. */
import { ProblemError } from '@stateeval/contracts'
import type { SampleOutcome } from '../flows/sample.ts'
import { placeOf } from '../paging.ts'
import type { EvaluationOwner } from './owner.ts'
import type { Owners } from './owners.ts'
import type { Sets } from './sets.ts'
import { type ItemEnds, outcomesAt } from './stage.ts'

/** Where samples and the names of their cases are. */
interface SampleSources extends ItemEnds {
  owners: Owners
  sets: Sets
}

interface SamplePage {
  /** The samples by number, whether they have ended or not. */
  places: number[]
  /** The cursor of the next page; undefined after the last. */
  next: string | undefined
  outcomes: AsyncIterable<{ place: number; outcome: SampleOutcome }>
}

export async function samplePage(
  context: SampleSources,
  owner: EvaluationOwner,
  { limit = 50, cursor, case: name }: { limit?: number; cursor?: string; case?: string },
): Promise<SamplePage> {
  const { id } = owner
  const { first, end } = await placesOf(context, owner, name)
  const from = Math.max(first, placeOf(cursor))
  const to = Math.min(from + limit, end)
  const places = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at)
  async function* outcomes() {
    const items = places.map((index) => ({ workflow: id, stage: 'samples', index }))
    let place = from
    for await (const outcome of outcomesAt<SampleOutcome>(context, items)) {
      if (outcome) yield { place, outcome }
      place++
    }
  }
  return { places, next: to < end ? String(to) : undefined, outcomes: outcomes() }
}

/** The places of all samples, or of one case's: from `first` up to `end`. */
async function placesOf(
  context: SampleSources,
  { id, benchmark, stages, options }: EvaluationOwner,
  name: string | undefined,
): Promise<{ first: number; end: number }> {
  const { total = 0 } = stages.samples ?? {}
  if (name === undefined) return { first: 0, end: total }
  const n = (await context.owners.benchmark(benchmark))
    ? (await context.sets.ids(benchmark)).indexOf(name)
    : null
  if (n === null)
    throw new ProblemError(
      'conflict',
      `the benchmark ${benchmark} of the evaluation ${id} was deleted, so its cases have no names; leave case out to read all samples`,
      'case',
    )
  if (n < 0)
    throw new ProblemError(
      'not-found',
      `the benchmark ${benchmark} of the evaluation ${id} has no case ${JSON.stringify(name)}`,
      'case',
    )
  const first = n * options.samples
  return { first: Math.min(first, total), end: Math.min(first + options.samples, total) }
}
