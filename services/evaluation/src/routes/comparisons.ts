/** Comparisons of evaluations of one benchmark, made from their reports, which never change. */
import { type ComparisonResource, computeContentId, ProblemError } from '@stateeval/contracts'
import { isShortComparison } from '@stateeval/score'
import {
  type ProjectArtifacts,
  buildPage,
  type RevisedDocuments,
  type ThreadPool,
} from '@stateeval/service-kit'
import type { SuiteCatalog } from '@stateeval/sets'
import { type EvaluationOwner, requireEndedEvaluation, type OwnerSource } from '@stateeval/jobs'
import { loadFigures, type ReportFigures } from '../owners/report.ts'
import { compare, type ThreadComparison, type CompareTask } from '../threads/compare.ts'
import type { OperationRoute } from './route.ts'

interface ComparedReports extends OwnerSource {
  artifacts: ProjectArtifacts
  benchmark: SuiteCatalog['benchmark']
  compareThreads: ThreadPool
}
interface ComparisonStore {
  comparisons: RevisedDocuments<ComparisonResource>
}

export const createComparison: OperationRoute<'createComparison', ComparedReports & ComparisonStore> = async (
  { body: { evaluations, seed = 1 } },
  context,
) => {
  const id = formatComparisonId(evaluations, seed)
  const previous = await context.comparisons.get(id)
  const comparison = previous ?? (await compareEvaluations(context, evaluations, seed))
  if (!previous) await context.comparisons.create(id, comparison)
  return { status: 201, body: comparison, headers: { location: `/v1/comparisons/${id}` } }
}

export const listComparisons: OperationRoute<'listComparisons', ComparisonStore> = async (
  { query: { limit = 50, cursor } },
  context,
) => {
  const documents = await context.comparisons.page(cursor, limit + 1)
  const comparisons = documents.map(({ value }) => value)
  return { status: 200, body: buildPage(comparisons, limit) }
}

export const getComparison: OperationRoute<'getComparison', ComparisonStore> = async (
  { params: { id } },
  context,
) => {
  const comparison = await context.comparisons.get(id)
  if (!comparison)
    throw new ProblemError(
      'not-found',
      `there is no comparison ${JSON.stringify(id)}; GET /v1/comparisons lists them`,
    )
  return { status: 200, body: comparison }
}

type ComparedEvaluation = EvaluationOwner & { ended: NonNullable<EvaluationOwner['ended']> }

const formatComparisonId = (evaluations: readonly string[], seed: number | string) =>
  `cmp_${computeContentId({ evaluations, seed }).slice(0, 24)}`

/**
 * Throws a problem that names what stands in the way: an unknown evaluation, one that has no report yet,
 * another benchmark.
 */
async function compareEvaluations(
  context: ComparedReports,
  ids: readonly string[],
  seed: number | string,
): Promise<ComparisonResource> {
  const twice = ids.findIndex((id, at) => ids.indexOf(id) < at)
  if (twice >= 0)
    throw new ProblemError(
      'unprocessable',
      `${ids[twice]} is named twice; name each evaluation once`,
      `/evaluations/${twice}`,
    )
  const owners: ComparedEvaluation[] = []
  for (const id of ids) owners.push(await requireEndedEvaluation(context, id))
  const [first] = owners
  const other = owners.findIndex(({ set }) => set.digest !== first?.set.digest)
  if (first && other >= 0) {
    const descriptions = owners.map(
      ({ id, benchmark, set }) => `${id} is of ${benchmark} (digest ${set.digest.slice(0, 12)})`,
    )
    throw new ProblemError(
      'unprocessable',
      `evaluations of different benchmarks cannot be compared: ${descriptions.join(', ')}; compare those that answered the same cases`,
      `/evaluations/${other}`,
    )
  }
  const figures: ReportFigures[] = []
  const results: Uint8Array[] = []
  for (const { ended } of owners) {
    figures.push(await loadFigures(context, ended))
    const bytes = await context.artifacts.get(ended.result)
    if (!bytes) throw new Error(`there is no artifact ${ended.result} in the store`)
    results.push(bytes)
  }
  const task: CompareTask = { results, seed }
  const { names, ...compared } = isShortComparison(owners.length, first?.set.cases ?? 0)
    ? compare(task)
    : await context.compareThreads.run<ThreadComparison>('compare', task)
  const benchmark = first && context.benchmark(first.set.kind)
  const id = formatComparisonId(ids, seed)
  return {
    id,
    digest: first?.set.digest ?? '',
    ...(benchmark && { kind: benchmark.kind }),
    evaluations: owners.map((owner, n) => {
      const { model, options, notScored, measures } = figures[n] as ReportFigures
      const ofAll = measures?.find(({ group }) => group === 'all')?.values
      return {
        id: owner.id,
        name: names[n] as string,
        model,
        options,
        notScored,
        effort: describeEffort(owner),
        ...(ofAll && { measures: ofAll }),
      }
    }),
    ...compared,
    errors: figures.map(({ errors }) => [...(errors?.[benchmark?.reporting?.comparedErrors ?? ''] ?? [])]),
    links: { self: `/v1/comparisons/${id}` },
  }
}

function describeEffort({ createdAt, finishedAt = createdAt, ended }: ComparedEvaluation) {
  const { requests, promptTokens, completionTokens } = ended.usage
  const seconds = (Date.parse(finishedAt) - Date.parse(createdAt)) / 1000
  return { requests, promptTokens, completionTokens, seconds }
}
