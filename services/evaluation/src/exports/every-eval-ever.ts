/**
 * A report as a record of Every Eval Ever (schema 0.3, `eval.schema.json` of its package): what was
 * evaluated, on which data, how the model was asked, and each figure with its uncertainty. Its details are
 * texts.
 */
import type { Json, OverCases, ReportResult } from '@stateeval/contracts'
import { modelName } from '../choices/choice.ts'
import type { EvaluationOwner } from '../owners/owner.ts'

const schemaVersion = '0.3.0'

/** Who gives the record. */
export interface RecordSource {
  organization: string
  relationship: string
}
type Details = Record<string, string>

const details = (values: Readonly<Record<string, unknown>>): Details =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined || value === null
        ? []
        : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
    ),
  )

/** Seconds since 1970, as the schema has times. */
const seconds = (at: string) => String(Math.floor(Date.parse(at) / 1000))

interface Figure {
  id: string
  name: string
  kind: string
  score: number
  unit?: string
  /** Of a share. */
  isShare?: boolean
  interval?: readonly [number, number] | null
  method?: string
  samples?: number
  parameters?: Record<string, Json>
  policy?: string
}

const overCases = (kind: string, list: readonly OverCases[]): Figure[] =>
  list.flatMap(({ k, estimate, cases }) =>
    k === 1 || estimate === null
      ? []
      : [
          {
            id: `${kind}_${k}`,
            name: kind === 'pass_at_k' ? `pass@${k}` : `pass^${k}`,
            kind,
            score: estimate,
            isShare: true,
            samples: cases,
            parameters: { k },
          },
        ],
  )

/** Every figure of a report: the pass rate, pass@k, the mutation score, and the benchmark's own measures. */
function figuresOf({ overall, statistics, mutation, measures = [] }: ReportResult): Figure[] {
  const { rate, interval, method, scored } = overall
  return [
    ...(rate === null
      ? []
      : [
          {
            ...{
              id: 'pass_rate',
              name: 'Pass rate',
              kind: 'pass_rate',
              score: rate,
              isShare: true,
              interval,
            },
            ...(method !== undefined && { method }),
            samples: scored,
          },
        ]),
    ...overCases('pass_at_k', statistics?.passAtK ?? []),
    ...overCases('pass_all_k', statistics?.passAllK ?? []),
    ...(mutation && mutation.score !== null
      ? [
          {
            id: 'mutation_score',
            name: 'Mutation score',
            kind: 'mutation_score',
            score: mutation.score,
            isShare: true,
          },
        ]
      : []),
    ...measures
      .filter(({ group, name }) => group === 'all' && name === 'all')
      .flatMap(({ policy, values }) =>
        Object.entries(values).flatMap(([name, score]): Figure[] =>
          score === null ? [] : [{ id: `${policy}/${name}`, name, kind: 'measure', score, policy }],
        ),
      ),
  ]
}

function resultOf(figure: Figure, owner: EvaluationOwner): Json {
  const { id, name, kind, score, isShare = false, interval, method, samples, parameters, policy } = figure
  const { set, options, benchmark } = owner
  const uncertainty = {
    ...(interval && {
      confidence_interval: {
        ...{ lower: interval[0], upper: interval[1], confidence_level: 0.95 },
        ...(method !== undefined && { method }),
      },
    }),
    ...(samples !== undefined && { num_samples: samples }),
  }
  return {
    evaluation_result_id: `${owner.id}/${id}`,
    evaluation_name: `stateeval/${set.kind}`,
    source_data: {
      dataset_name: `${set.kind} ${set.digest.slice(0, 12)}`,
      source_type: 'other',
      additional_details: details({ digest: set.digest, benchmark, cases: set.cases }),
    },
    metric_config: {
      metric_id: `stateeval.${id}`,
      metric_name: name,
      metric_kind: kind,
      // The schema wants bounds, and measures of benchmarks have none that are known here.
      ...(isShare
        ? { metric_unit: 'proportion', min_score: 0, max_score: 1 }
        : { min_score: '-Infinity', max_score: 'Infinity' }),
      ...(parameters && { metric_parameters: parameters }),
      lower_is_better: /error|steps/i.test(name),
      score_type: 'continuous',
      ...(policy !== undefined && { additional_details: { policy } }),
    },
    score_details: { score, ...(Object.keys(uncertainty).length > 0 && { uncertainty }) },
    generation_config: {
      generation_args: argumentsOf(owner),
      additional_details: details({ ...options }),
    },
  }
}

/** What the model was sent of the parameters that the schema has names for. */
function argumentsOf({ model }: EvaluationOwner): Record<string, number> {
  const parameters = model.kind === 'endpoint' ? (model.settings.parameters ?? {}) : {}
  return Object.fromEntries(
    ['temperature', 'top_p', 'top_k', 'max_tokens'].flatMap((name) => {
      const value = parameters[name]
      return typeof value === 'number' ? [[name, value]] : []
    }),
  )
}

export function everyEvalEver(
  owner: EvaluationOwner & { ended: NonNullable<EvaluationOwner['ended']> },
  result: ReportResult,
  { organization, relationship }: RecordSource,
): Json {
  const { id, createdAt, finishedAt = createdAt, model, set, parties = {}, rescored } = owner
  const modelId = model.kind === 'endpoint' ? model.settings.model : modelName(model)
  const judges = Object.entries(parties).map(([part, { name }]) => `${part}: ${name}`)
  return {
    schema_version: schemaVersion,
    evaluation_id: `stateeval_${set.kind}/${modelId.replaceAll('/', '_')}/${seconds(finishedAt)}`,
    evaluation_timestamp: createdAt,
    retrieved_timestamp: seconds(finishedAt),
    source_metadata: {
      source_name: 'StateEval',
      source_type: 'evaluation_run',
      source_organization_name: organization,
      evaluator_relationship: relationship,
      additional_details: details({
        evaluation: id,
        rescored: rescored?.evaluation,
        parties: judges.length > 0 ? judges.join(', ') : undefined,
        not_scored: result.notScored,
        verdicts: result.verdicts,
      }),
    },
    eval_library: { name: 'stateeval', version: result.version },
    model_info: {
      name: modelName(model),
      id: modelId,
      additional_details: { deployment_type: 'unknown', model_availability: 'unknown' },
    },
    evaluation_results: figuresOf(result).map((figure) => resultOf(figure, owner)),
  }
}
