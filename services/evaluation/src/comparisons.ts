/** Evaluations of one benchmark, compared: made from their reports, which never change. */
import {
  type ComparisonResource,
  ProblemError,
  type ReportResult,
  canonicalJson,
  sha256,
} from '@stateeval/contracts'
import type { Artifacts } from '@stateeval/service-kit'
import { type CaseCount, compareModels, type ModelCounts } from '@stateeval/score'
import type { EvaluationOwner } from './owners/owner.ts'
import type { Owners } from './owners/owners.ts'
import { endedEvaluation } from './resources.ts'

/** Where reports are. */
interface Reports {
  owners: Owners
  artifacts: Artifacts
}

export const comparisonId = (evaluations: readonly string[], seed: number | string) =>
  `cmp_${sha256(canonicalJson({ evaluations, seed })).slice(0, 24)}`

/** Throws a problem that names what stands in the way: an unknown evaluation, one that has no report yet, another benchmark. */
export async function compareEvaluations(
  context: Reports,
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
  const owners: (EvaluationOwner & { ended: NonNullable<EvaluationOwner['ended']> })[] = []
  for (const id of ids) owners.push(await endedEvaluation(context, id))
  const [first] = owners
  const other = owners.findIndex(({ set }) => set.manifest !== first?.set.manifest)
  if (first && other >= 0) {
    const told = owners.map(
      ({ id, benchmark, set }) => `${id} is of ${benchmark} (manifest ${set.manifest.slice(0, 12)})`,
    )
    throw new ProblemError(
      'unprocessable',
      `evaluations of different benchmarks can’t be compared: ${told.join(', ')}; compare those that answered the same cases`,
      `/evaluations/${other}`,
    )
  }
  const results: ReportResult[] = []
  for (const { ended } of owners)
    results.push((await context.artifacts.getJson(ended.result)) as ReportResult)
  const names = namesOf(results)
  const id = comparisonId(ids, seed)
  return {
    id,
    benchmark: first?.set.manifest ?? '',
    evaluations: owners.map(({ id }, n) => {
      const { model, options, notScored } = results[n] as ReportResult
      return { id, name: names[n] as string, model, options, notScored }
    }),
    comparison: compareModels(
      results.map((result, n) => countsOf(names[n] as string, result)),
      { seed },
    ),
    groups: groupsOf(results),
    errors: results.map(({ errors }) => errors?.byScenario ?? []),
    links: { self: `/v1/comparisons/${id}` },
  }
}

/** Scored and passed samples of each case. */
function countsOf(name: string, { samples }: ReportResult): ModelCounts {
  const cases = new Map<string, CaseCount>()
  for (const { case: id, score } of samples) {
    if (score === null || score.verdict === 'infrastructure_error') continue
    const { samples: before, passed } = cases.get(id) ?? { samples: 0, passed: 0 }
    cases.set(id, { samples: before + 1, passed: passed + (score.passed ? 1 : 0) })
  }
  return { name, cases }
}

/** The model, with the options that tell one evaluation from another where the models' names don't. */
function namesOf(results: readonly ReportResult[]): string[] {
  const keys = [...new Set(results.flatMap(({ options }) => Object.keys(options)))].sort()
  const differing = keys.filter(
    (key) => new Set(results.map(({ options }) => canonicalJson(options[key] ?? null))).size > 1,
  )
  const names = results.map(({ model, options }) => {
    if (results.filter((one) => one.model === model).length === 1) return model
    const told = differing
      .filter((key) => options[key] !== undefined)
      .map((key) => `${key} ${String(options[key])}`)
    return told.length ? `${model} (${told.join(', ')})` : model
  })
  return names.map((name, at) =>
    names.filter((one) => one === name).length > 1 ? `${name} #${at + 1}` : name,
  )
}

function groupsOf(results: readonly ReportResult[]): ComparisonResource['groups'] {
  const dimensions = [...new Set(results.flatMap(({ groups }) => Object.keys(groups)))]
  return Object.fromEntries(
    dimensions.map((dimension) => {
      const names = [
        ...new Set(results.flatMap(({ groups }) => (groups[dimension] ?? []).map(({ name }) => name))),
      ]
      const rateOf = ({ groups }: ReportResult, name: string) =>
        groups[dimension]?.find((group) => group.name === name)?.rate.rate ?? null
      return [
        dimension,
        names.map((name) => ({ name, rates: results.map((result) => rateOf(result, name)) })),
      ]
    }),
  )
}
