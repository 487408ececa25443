/**
 * An evaluation in MLflow: a run with parameters, metrics, dataset and artifacts, and a trace for each
 * sample.
 */
import { createHash } from 'node:crypto'
import type { RateBracket, Report, ScoredSample } from '@stateeval/contracts'
import pico from 'picocolors'
import { formats } from '../report/index.ts'
import type { MlflowClient, MlflowTrace } from './mlflow.ts'

export interface TrackedRun {
  experiment: string
  run: string
  metrics: number
  traces: number
}
interface TrackOptions {
  experiment: string
  artifacts: boolean
  traces: boolean
  /** The report as a page; null where the service has none. */
  page: () => Promise<string | null>
  /** The question and answer of a sample, where it is known. */
  dialogue: (sample: ScoredSample) => Promise<{ request: string; response: string }>
  /** Told after each trace. */
  onTrace: (done: number, all: number) => void
}

/** MLflow takes letters, digits, and _ - . / : and spaces in names. */
const formatMetricName = (...parts: string[]) =>
  parts.map((part) => part.replace(/[^\w .:-]/g, '_')).join('/')

type TrackedMetric = [name: string, value: number | null | undefined]
/** A rate, and its ends by samples without a score under the same name with a suffix. */
const listRateMetrics = (name: string, rate: number | null, bracket?: RateBracket): TrackedMetric[] => [
  [name, rate],
  ...(bracket
    ? [
        [`${name}_unscored_failed`, bracket[0]] as TrackedMetric,
        [`${name}_unscored_passed`, bracket[1]] as TrackedMetric,
      ]
    : []),
]

/** Pass rates of all and of each group, verdicts, root causes, measures, usage. */
export function listReportMetrics({ result, run }: Report): Record<string, number> {
  const { overall, groups, verdicts, rootCauses, measures = [], statistics, notScored } = result
  const pairs: TrackedMetric[] = [
    ...listRateMetrics('pass_rate', overall.rate, overall.bracket),
    ['pass_rate_low', overall.interval?.[0]],
    ['pass_rate_high', overall.interval?.[1]],
    ['passed', overall.passed],
    ['scored', overall.scored],
    ['not_scored', notScored],
    ...Object.entries(groups).flatMap(([group, all]) =>
      all.flatMap(({ name, scenario, rate }) =>
        listRateMetrics(
          formatMetricName('pass_rate', group, ...(scenario === undefined ? [] : [scenario]), name),
          rate.rate,
          rate.bracket,
        ),
      ),
    ),
    ...Object.entries(verdicts).map(([name, count]): TrackedMetric => [
      formatMetricName('verdict', name),
      count,
    ]),
    ...Object.entries(rootCauses).map(([name, count]): TrackedMetric => [
      formatMetricName('root_cause', name),
      count,
    ]),
    ...(statistics?.passAtK ?? []).flatMap(({ k, estimate, bracket }) =>
      listRateMetrics(`pass_at_${k}`, estimate, bracket),
    ),
    ...measures.flatMap(({ policy, group, name, values, brackets = {} }) =>
      Object.entries(values).flatMap(([measure, value]) =>
        listRateMetrics(formatMetricName('measure', policy, group, name, measure), value, brackets[measure]),
      ),
    ),
    ['prompt_tokens', run.usage?.promptTokens],
    ['completion_tokens', run.usage?.completionTokens],
  ]
  return Object.fromEntries(pairs.filter((pair): pair is [string, number] => typeof pair[1] === 'number'))
}

const computeTraceId = (evaluation: string, { case: id, sample }: ScoredSample) =>
  `tr-${createHash('sha256').update(`${evaluation}/${id}/${sample}`).digest('hex').slice(0, 32)}`

/** At a time: MLflow writes each to its database. */
const together = 4

export async function trackEvaluation(
  mlflow: MlflowClient,
  report: Report,
  { experiment, artifacts, traces, dialogue, onTrace, page }: TrackOptions,
): Promise<TrackedRun> {
  const { result, run: how } = report
  const { evaluation, kind = 'stateeval', startedAt, finishedAt = startedAt } = how
  const experimentId = await mlflow.experiment(experiment)
  const run = await mlflow.run(
    experimentId,
    `${result.model} ${evaluation}`,
    ['stateeval.evaluation', evaluation],
    startedAt,
  )
  const { run_id: id } = run.info
  const metrics = listReportMetrics(report)
  await mlflow.log(id, {
    params: { model: result.model, kind, digest: result.digest, version: result.version, ...result.options },
    metrics,
    tags: { 'stateeval.digest': result.digest, 'stateeval.kind': kind },
    at: finishedAt,
  })
  await mlflow.dataset(id, {
    name: kind,
    digest: result.digest,
    source: JSON.stringify({ digest: result.digest }),
    profile: JSON.stringify({ cases: new Set(result.samples.map((one) => one.case)).size }),
  })
  if (artifacts) {
    for (const [file, format] of [
      ['report.json', 'json'],
      ['report.txt', 'table'],
      ['samples.jsonl', 'jsonl'],
      ['samples.csv', 'csv'],
    ] as const)
      await mlflow.artifact(run, file, formats[format]!(report, pico.createColors(false)))
    const html = await page()
    if (html !== null) await mlflow.artifact(run, 'report.html', html)
  }
  const samples = traces ? result.samples : []
  let done = 0
  const queue = samples.values()
  const work = async () => {
    for (const sample of queue) {
      const said = await dialogue(sample)
      await mlflow.trace(experimentId, id, buildTrace(evaluation, startedAt, sample, said))
      done++
      onTrace(done, samples.length)
    }
  }
  await Promise.all(Array.from({ length: together }, work))
  await mlflow.finish(id, 'FINISHED', finishedAt)
  return { experiment: experimentId, run: id, metrics: Object.keys(metrics).length, traces: done }
}

function buildTrace(
  evaluation: string,
  requestTime: string,
  sample: ScoredSample,
  said: { request: string; response: string },
): MlflowTrace {
  const { case: id, score, notScored } = sample
  const cause = score?.evidence.rootCause?.cause
  const why = score?.evidence.error?.message ?? score?.evidence.differences[0]?.says ?? notScored
  const rationale = why === undefined ? {} : { rationale: why.slice(0, 1000) }
  return {
    id: computeTraceId(evaluation, sample),
    requestTime,
    seconds: 0,
    ...said,
    tags: { 'stateeval.case': id, 'stateeval.sample': String(sample.sample), 'mlflow.traceName': id },
    assessments: score
      ? [
          { name: 'passed', value: score.passed, ...rationale },
          { name: 'reward', value: score.reward ?? (score.passed ? 1 : 0) },
          { name: 'verdict', value: score.verdict },
          ...(cause === undefined ? [] : [{ name: 'root_cause', value: cause }]),
        ]
      : [{ name: 'verdict', value: 'not_scored', ...rationale }],
  }
}
