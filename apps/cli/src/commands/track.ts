import { ServiceError } from '@stateeval/client'
import type { SampleAnswer, ScoredSample } from '@stateeval/contracts'
import { defineCommand, type ExitCode, Failure, type CommandInvocation } from '../command.ts'
import { describePartial, formatPlural } from '../report/format.ts'
import { createCounter } from '../suite/counter.ts'
import { connectEvaluation, readEvaluationText, runRequests } from '../suite/index.ts'
import { readEveryPage } from '../suite/pages.ts'
import { createMlflow } from '../track/mlflow.ts'
import { type TrackedRun, trackEvaluation } from '../track/track.ts'

interface TrackOptions {
  mlflow?: string
  experiment?: string
  artifacts?: boolean
  traces?: boolean
}

/** Address of the MLflow server to which evaluations are tracked by themselves, once they have succeeded. */
const urlSetting = 'STATEEVAL_MLFLOW_URL'
const experimentSetting = 'STATEEVAL_MLFLOW_EXPERIMENT'

const formatTraceKey = ({ case: id, sample }: { case: string; sample: number }) => `${id}/${sample}`

/** Formats the last question, and what was answered. */
function describeAnswer(answer: SampleAnswer | undefined): { request: string; response: string } {
  const messages = answer?.transcripts?.[0]?.messages ?? []
  const asked = messages.findLast((message) => message.role === 'user')
  return { request: asked?.content ?? '', response: answer?.answer ?? '' }
}

/** A service whose dashboard is not built has no page. */
async function fetchPage(id: string, signal: AbortSignal): Promise<string | null> {
  try {
    return await readEvaluationText('exportPage', { params: { id }, signal })
  } catch (error) {
    if (error instanceof ServiceError && error.problem.status === 503) return null
    throw error
  }
}

async function trackToMlflow(
  id: string,
  url: string,
  { experiment, artifacts = true, traces = true }: TrackOptions,
  { terminal, signal }: Pick<CommandInvocation<object>, 'terminal' | 'signal'>,
): Promise<TrackedRun> {
  const client = connectEvaluation()
  const params = { id }
  const report = await client.getEvaluationReport({ params })
  const { partial } = report.result
  if (partial)
    throw new Failure(
      `The evaluation ${id} has a partial report (${describePartial(partial)}). Track it when it has succeeded.`,
    )
  const answers = traces
    ? await readEveryPage<SampleAnswer>((query) => client.getEvaluationAnswers({ params, query }))
    : []
  const byKey = new Map(answers.map((answer) => [formatTraceKey(answer), answer]))
  let tell: ReturnType<typeof createCounter> | undefined
  const mlflow = createMlflow(url, process.env['MLFLOW_TRACKING_TOKEN'], signal)
  return trackEvaluation(mlflow, report, {
    experiment: experiment ?? process.env[experimentSetting] ?? 'StateEval',
    artifacts,
    traces,
    onTrace: (done, all) => (tell ??= createCounter('track', all, terminal))(done, 'traces'),
    page: () => fetchPage(id, signal),
    dialogue: async (sample: ScoredSample) => describeAnswer(byKey.get(formatTraceKey(sample))),
  })
}

const summarizeTracking = ({ run, metrics, traces }: TrackedRun, url: string) =>
  `Tracked as run ${run} at ${URL.canParse(url) ? new URL(url).origin : url}: ${formatPlural(metrics, 'metric')}, ${formatPlural(traces, 'trace')}.`

/**
 * Tracks an evaluation that a command has watched to its end, if a setting requests it. Never fails the
 * command.
 */
export async function trackBySetting(
  id: string,
  invocation: Pick<CommandInvocation<object>, 'terminal' | 'signal'>,
): Promise<void> {
  const url = process.env[urlSetting]
  if (!url) return
  try {
    invocation.terminal.notice(summarizeTracking(await trackToMlflow(id, url, {}, invocation), url))
  } catch (error) {
    if (invocation.signal.aborted) throw error
    // Whatever it is: the evaluation has its report, and its gate is reported next.
    const why = error instanceof Failure ? error.message : `${(error as Error).message}.`
    invocation.terminal.notice(`Not tracked: ${why} Then run: npx stateeval track ${id}`)
  }
}

export const trackCommand = defineCommand<TrackOptions>({
  name: 'track <evaluation>',
  describe:
    'Log an evaluation to MLflow: parameters, metrics, dataset, artifacts, and a trace for each sample',
  example: [
    'npx stateeval track ev_0123456789abcdef --mlflow http://127.0.0.1:5000',
    'npx stateeval track ev_0123456789abcdef --mlflow http://127.0.0.1:5000 --experiment nightly --no-traces',
  ].join('\n'),
  configure: (command) =>
    command
      .option('--mlflow <url>', `the tracking server (default: ${urlSetting} or MLFLOW_TRACKING_URI)`)
      .option('--experiment <name>', `the experiment (default: ${experimentSetting}, else StateEval)`)
      .option('--no-artifacts', 'leave out the report and the samples as files')
      .option('--no-traces', 'leave out the trace of each sample'),
  run: async ({ options, args, terminal, signal }) =>
    runRequests(async (): Promise<ExitCode> => {
      const url = options.mlflow ?? process.env[urlSetting] ?? process.env['MLFLOW_TRACKING_URI']
      if (!url)
        throw new Failure(
          'The MLflow server is missing. Give its URL with --mlflow, such as --mlflow http://127.0.0.1:5000.',
        )
      const tracked = await trackToMlflow(args[0]!, url, options, { terminal, signal })
      terminal.result(tracked, () => summarizeTracking(tracked, url))
      return 0
    }),
})
