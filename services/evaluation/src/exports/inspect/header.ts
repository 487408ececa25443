/** The part of Inspect's EvalLog before its samples. */
import type { RateBracket, JsonValue, Rate } from '@stateeval/contracts'
import { getModelName, type EvaluationOwner } from '@stateeval/jobs'
import type { ReportFigures } from '../../owners/report.ts'
import { listFigures } from '../figures.ts'
import { scoreName } from './sample.ts'
import { buildUsage } from './usage.ts'

/** Version of the form. */
const logVersion = 2

/** Parameters of a request that Inspect has names for. */
const generationNames = {
  ...{ temperature: 'temperature', top_p: 'top_p', top_k: 'top_k', max_tokens: 'max_tokens', seed: 'seed' },
  ...{ frequency_penalty: 'frequency_penalty', presence_penalty: 'presence_penalty' },
} as const

function describeGeneration({ model }: EvaluationOwner): JsonValue {
  const parameters = model.kind === 'endpoint' ? (model.settings.parameters ?? {}) : {}
  const config = Object.keys(generationNames).flatMap((name) => {
    const value = parameters[name]
    return typeof value === 'number' ? [[name, value] as const] : []
  })
  return Object.fromEntries(config)
}

/** Inspect's metrics have no range for samples without a score. */
const formatBracket = (bracket: RateBracket | undefined): Record<string, JsonValue> =>
  bracket ? { unscored_failed: bracket[0], unscored_passed: bracket[1] } : {}

/** The figures of the report. Inspect calls a pass rate an accuracy. */
function listMetrics(figures: ReportFigures): Record<string, JsonValue> {
  const { groups, verdicts, rootCauses } = figures
  const metrics: [string, JsonValue][] = listFigures(figures).map((figure) => {
    const { id, score, interval, method, policy, bracket } = figure
    const name = id === 'pass_rate' ? 'accuracy' : id
    const metadata = {
      ...(interval && { confidence_interval: [...interval] }),
      ...(method !== undefined && { method }),
      ...formatBracket(bracket),
      ...(policy !== undefined && { policy }),
    }
    return [name, { name, value: score, ...(Object.keys(metadata).length > 0 && { metadata }) }]
  })
  const grouped = (
    group: string,
    name: string,
    value: number,
    bracket?: RateBracket,
  ): [string, JsonValue] => [
    `${group}/${name}`,
    { name, group, value, ...(bracket && { metadata: formatBracket(bracket) }) },
  ]
  const nameOf = ({ name, scenario }: { name: string; scenario?: string }) =>
    scenario === undefined ? name : `${scenario}/${name}`
  const rates = Object.entries(groups).flatMap(([group, list]) =>
    list.flatMap((one: { name: string; scenario?: string; rate: Rate }) =>
      one.rate.rate === null ? [] : [grouped(group, nameOf(one), one.rate.rate, one.rate.bracket)],
    ),
  )
  const counts = Object.entries({ verdict: verdicts, root_cause: rootCauses }).flatMap(([group, all]) =>
    Object.entries(all).map(([name, count]) => grouped(group, name, count)),
  )
  return Object.fromEntries([...metrics, ...rates, ...counts])
}

export function buildInspectHeader(
  owner: EvaluationOwner & { ended: NonNullable<EvaluationOwner['ended']> },
  figures: ReportFigures,
  caseIds: readonly string[],
): JsonValue {
  const { id, createdAt, finishedAt = createdAt, set, options, model, benchmark, rescored, ended } = owner
  const total = set.cases * options.samples
  const config = describeGeneration(owner)
  return {
    version: logVersion,
    status: 'success',
    eval: {
      ...{ eval_id: id, run_id: id, created: createdAt, task: set.kind },
      // Ids lose their underscore, which separates the parts of file names.
      task_id: id.replace('_', ''),
      task_version: figures.version,
      task_args: { ...options } as JsonValue,
      dataset: {
        name: `${set.kind} ${set.digest.slice(0, 12)}`,
        location: `sha256:${set.digest}`,
        samples: set.cases,
        sample_ids: [...caseIds],
        shuffled: false,
      },
      model: getModelName(model),
      model_generate_config: config,
      config: { epochs: options.samples },
      tags: ['stateeval'],
      metadata: {
        ...{ evaluation: id, benchmark, digest: set.digest, kind: set.kind },
        ...(rescored && { rescored: rescored.evaluation }),
      },
      scorers: [{ name: scoreName }],
      headline_metric: { score: scoreName, metric: 'accuracy' },
    },
    plan: {
      name: 'stateeval',
      steps: [{ solver: options.prompting, params: { ...options } as JsonValue }],
      config,
    },
    results: {
      total_samples: total,
      completed_samples: ended.scored,
      scores: [
        {
          ...{ name: scoreName, scorer: scoreName },
          ...{ scored_samples: ended.scored, unscored_samples: ended.notScored },
          metrics: listMetrics(figures),
        },
      ],
    },
    stats: { started_at: createdAt, completed_at: finishedAt, ...buildUsage(owner, ended) },
  }
}
