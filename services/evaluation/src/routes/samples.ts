/**
 * Ended samples with their scores or answers, page by page: all, or those of one case. While an evaluation
 * runs, other samples are left out.
 */
import { ProblemError, type SampleAnswer, type ScoredSample } from '@stateeval/contracts'
import type { SampleOutcome } from '@stateeval/flows'
import { placeOf } from '@stateeval/service-kit'
import { loadDialogue, type EvaluationItems } from '../owners/evaluation-items.ts'
import { loadOpinionsOfSamples, type OpinionSources } from '../owners/opinions.ts'
import {
  type EvaluationOwner,
  type ItemEnds,
  loadOutcomes,
  requireEvaluation,
  type OwnerSource,
} from '@stateeval/jobs'
import type { BenchmarkSets } from '@stateeval/sets'
import type { OperationRoute } from './route.ts'

export const getEvaluationResults: OperationRoute<
  'getEvaluationResults',
  SampleSources & OpinionSources
> = async ({ params: { id }, query }, context) => {
  const owner = await requireEvaluation(context, id)
  const { places, next, outcomes } = await samplePage(context, owner, query)
  const opinions = await loadOpinionsOfSamples(context, owner, places)
  const items: ScoredSample[] = []
  for await (const { place, outcome } of outcomes) {
    const secondOpinion = opinions.get(place)
    items.push({ ...outcome.scored, ...(secondOpinion && { secondOpinion }) })
  }
  return { status: 200, body: { items, ...(next !== undefined && { next }) } }
}

/** Characters after which a page ends: one answer may have two million. */
const enough = 4_000_000

export const getEvaluationAnswers: OperationRoute<
  'getEvaluationAnswers',
  SampleSources & EvaluationItems
> = async ({ params: { id }, query }, context) => {
  const owner = await requireEvaluation(context, id)
  const page = await samplePage(context, owner, query)
  const items: SampleAnswer[] = []
  let { next } = page
  let length = 0
  for await (const { place, outcome } of page.outcomes) {
    const { scored, answer, finish, refused, seeds } = outcome
    if (length > enough) {
      next = String(place)
      break
    }
    const dialogue = outcome.log && (await loadDialogue(context, owner, place, outcome.log))
    const item = {
      case: scored.case,
      sample: scored.sample,
      answer,
      ...(finish !== undefined && { finish }),
      ...(refused && { refused }),
      ...dialogue,
      ...(dialogue && seeds && { seeds }),
    }
    items.push(item)
    length += dialogue ? JSON.stringify(item).length : (answer?.length ?? 0)
  }
  return { status: 200, body: { items, ...(next !== undefined && { next }) } }
}

/** Stores of samples and their cases' names. */
interface SampleSources extends OwnerSource, ItemEnds {
  sets: BenchmarkSets
}

interface SamplePage {
  /** The samples by number, whether they have ended or not. */
  places: number[]
  /** The cursor of the next page; undefined after the last. */
  next: string | undefined
  outcomes: AsyncIterable<{ place: number; outcome: SampleOutcome }>
}

async function samplePage(
  context: SampleSources,
  owner: EvaluationOwner,
  { limit = 50, cursor, case: name }: { limit?: number; cursor?: string; case?: string },
): Promise<SamplePage> {
  const { id } = owner
  const { first, end } = await listSamplePlaces(context, owner, name)
  const from = Math.max(first, placeOf(cursor))
  const to = Math.min(from + limit, end)
  const places = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at)
  async function* outcomes() {
    const items = places.map((index) => ({ workflow: id, stage: 'samples', index }))
    let place = from
    for await (const outcome of loadOutcomes<SampleOutcome>(context, items)) {
      if (outcome) yield { place, outcome }
      place++
    }
  }
  return { places, next: to < end ? String(to) : undefined, outcomes: outcomes() }
}

/** The places of all samples, or of one case's: from `first` up to `end`. */
async function listSamplePlaces(
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
