/**
 * A report as a record of Every Eval Ever (schema 0.3, `eval.schema.json` of its package): the benchmark,
 * its data, the model's settings, and each figure with its uncertainty. Details are strings.
 */
import type { JsonValue } from '@stateeval/contracts'
import { getModelName, type EvaluationOwner } from '@stateeval/jobs'
import type { MeasureDirections } from '@stateeval/program'
import type { ReportFigures } from '../owners/report.ts'
import { type ReportFigure, listFigures } from './figures.ts'

export const schemaVersion = '0.3.0'

/** The origin of the record. */
interface RecordSource {
  organization: string
  relationship: string
}
type DetailTexts = Record<string, string>

/** Values as strings, without absent ones. */
export const formatDetails = (values: Readonly<Record<string, unknown>>): DetailTexts =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined || value === null
        ? []
        : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
    ),
  )

/** Seconds since 1970, as the schema has times. */
const formatSeconds = (at: string) => String(Math.floor(Date.parse(at) / 1000))

/** Fields that samples and the report share. */
export function describeIdentity({ createdAt, finishedAt = createdAt, model, set }: EvaluationOwner) {
  const modelId = model.kind === 'endpoint' ? model.settings.model : getModelName(model)
  return {
    evaluationId: `stateeval_${set.kind}/${modelId.replaceAll('/', '_')}/${formatSeconds(finishedAt)}`,
    modelId,
    evaluationName: `stateeval/${set.kind}`,
  }
}
export const formatResultId = ({ id }: EvaluationOwner, figure: string) => `${id}/${figure}`

function buildFigureResult(figure: ReportFigure, owner: EvaluationOwner): JsonValue {
  const {
    id,
    name,
    kind,
    score,
    isShare = false,
    interval,
    method,
    samples,
    parameters,
    policy,
    better,
  } = figure
  const [unscoredFailed, unscoredPassed] = figure.bracket ?? []
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
    evaluation_result_id: formatResultId(owner, id),
    evaluation_name: describeIdentity(owner).evaluationName,
    source_data: {
      dataset_name: `${set.kind} ${set.digest.slice(0, 12)}`,
      source_type: 'other',
      additional_details: formatDetails({ digest: set.digest, benchmark, cases: set.cases }),
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
      lower_is_better: better === 'lower',
      score_type: 'continuous',
      // The schema has no word for what is better neither way.
      ...((policy !== undefined || better === 'neither') && {
        additional_details: formatDetails({ policy, better: better === 'neither' ? better : undefined }),
      }),
    },
    score_details: {
      score,
      ...(figure.bracket && {
        details: formatDetails({ unscored_failed: unscoredFailed, unscored_passed: unscoredPassed }),
      }),
      ...(Object.keys(uncertainty).length > 0 && { uncertainty }),
    },
    generation_config: {
      generation_args: listGenerationArguments(owner),
      additional_details: formatDetails({ ...options }),
    },
  }
}

/** Lists the values sent for the parameters that the schema names. */
function listGenerationArguments({ model }: EvaluationOwner): Record<string, number> {
  const parameters = model.kind === 'endpoint' ? (model.settings.parameters ?? {}) : {}
  return Object.fromEntries(
    ['temperature', 'top_p', 'top_k', 'max_tokens'].flatMap((name) => {
      const value = parameters[name]
      return typeof value === 'number' ? [[name, value]] : []
    }),
  )
}

export function buildEveryEvalEver(
  owner: EvaluationOwner & { ended: NonNullable<EvaluationOwner['ended']> },
  result: ReportFigures,
  { organization, relationship, measures }: RecordSource & { measures?: MeasureDirections | undefined },
): JsonValue {
  const { id, createdAt, finishedAt = createdAt, model, parties = {}, rescored } = owner
  const { evaluationId, modelId } = describeIdentity(owner)
  const judges = Object.entries(parties).map(([part, { name }]) => `${part}: ${name}`)
  return {
    schema_version: schemaVersion,
    evaluation_id: evaluationId,
    evaluation_timestamp: createdAt,
    retrieved_timestamp: formatSeconds(finishedAt),
    source_metadata: {
      source_name: 'StateEval',
      source_type: 'evaluation_run',
      source_organization_name: organization,
      evaluator_relationship: relationship,
      additional_details: formatDetails({
        evaluation: id,
        rescored: rescored?.evaluation,
        parties: judges.length > 0 ? judges.join(', ') : undefined,
        not_scored: result.notScored,
        verdicts: result.verdicts,
      }),
    },
    eval_library: { name: 'stateeval', version: result.version },
    model_info: {
      name: getModelName(model),
      id: modelId,
      additional_details: { deployment_type: 'unknown', model_availability: 'unknown' },
    },
    evaluation_results: listFigures(result, measures).map((figure) => buildFigureResult(figure, owner)),
  }
}
