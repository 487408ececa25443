/**
 * The part of MLflow's REST API that tracking uses. Each operation can be repeated: existing data stay, so
 * an interrupted command is simply run again.
 */
import { Failure } from '../command.ts'

type JsonRecord = Record<string, unknown>
interface MlflowRun {
  info: { run_id: string; experiment_id: string; artifact_uri: string; status: string }
}
export interface MlflowTrace {
  id: string
  requestTime: string
  seconds: number
  request: string
  response: string
  tags: Record<string, string>
  assessments: readonly MlflowAssessment[]
}
interface MlflowAssessment {
  name: string
  value: number | string | boolean
  rationale?: string
}

export interface MlflowClient {
  /** The id of an experiment, which is made where there is none. */
  experiment(name: string): Promise<string>
  /** The run with this tag, which is made where there is none. */
  run(experiment: string, name: string, tag: [string, string], startedAt: string): Promise<MlflowRun>
  log(
    run: string,
    what: { params?: JsonRecord; metrics?: Record<string, number>; tags?: JsonRecord; at: string },
  ): Promise<void>
  dataset(run: string, dataset: Record<'name' | 'digest' | 'source' | 'profile', string>): Promise<void>
  artifact(run: MlflowRun, path: string, text: string): Promise<void>
  /** A trace with its assessments; those that are there already stay. */
  trace(experiment: string, run: string, trace: MlflowTrace): Promise<void>
  finish(run: string, status: 'FINISHED' | 'FAILED' | 'KILLED', at: string): Promise<void>
}

/** MLflow's own limits of one request. */
const paramsTogether = 100
const metricsTogether = 500
const longestValue = 500

const toMilliseconds = (at: string) => new Date(at).getTime()
const toAttributeText = (value: unknown) =>
  (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, longestValue)
const toKeyValues = (values: JsonRecord) =>
  Object.entries(values).map(([key, value]) => ({ key, value: toAttributeText(value) }))
const splitInParts = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size))

/**
 * @param url of the tracking server; a user and password in it are sent as basic authentication
 * @param token sent as a bearer token, like MLFLOW_TRACKING_TOKEN
 */
export function createMlflow(url: string, token: string | undefined, signal: AbortSignal): MlflowClient {
  if (!URL.canParse(url))
    throw new Failure(`${url} is not a URL. Use one such as --mlflow http://127.0.0.1:5000.`)
  const base = new URL(url)
  const basic =
    base.username &&
    `Basic ${Buffer.from(`${decodeURIComponent(base.username)}:${decodeURIComponent(base.password)}`).toString('base64')}`
  base.username = base.password = ''
  const authorization = token ? `Bearer ${token}` : basic
  const root = base.href.replace(/\/$/, '')

  const send = async (method: string, path: string, body?: JsonRecord | string): Promise<Response> => {
    const isText = typeof body === 'string'
    try {
      return await fetch(`${root}/api/${path}`, {
        method,
        signal,
        headers: {
          ...(authorization && { authorization }),
          'content-type': isText ? 'application/octet-stream' : 'application/json',
        },
        ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
      })
    } catch (error) {
      if (signal.aborted) throw error
      const { cause } = error as { cause?: { code?: string } }
      throw new Failure(
        `MLflow at ${root} cannot be reached (${cause?.code ?? String(error)}). Check the URL and start it.`,
      )
    }
  }
  const answer = async (response: Response, what: string): Promise<JsonRecord> => {
    const body = await response.text()
    if (response.ok) return body === '' ? {} : (JSON.parse(body) as JsonRecord)
    throw new Failure(
      `MLflow at ${root} refused to ${what} (${response.status}): ${body.slice(0, 300)}. Correct the cause and run the command again.`,
    )
  }
  const ask = async (method: string, path: string, what: string, body?: JsonRecord | string) =>
    answer(await send(method, path, body), what)

  return {
    async experiment(name) {
      const query = `experiment_name=${encodeURIComponent(name)}`
      const found = await send('GET', `2.0/mlflow/experiments/get-by-name?${query}`)
      if (found.ok)
        return ((await found.json()) as { experiment: { experiment_id: string } }).experiment.experiment_id
      const made = await ask('POST', '2.0/mlflow/experiments/create', 'make an experiment', { name })
      return made['experiment_id'] as string
    },
    async run(experiment, name, [key, value], startedAt) {
      const found = await ask('POST', '2.0/mlflow/runs/search', 'search runs', {
        experiment_ids: [experiment],
        filter: `tags.\`${key}\` = '${value}'`,
        max_results: 1,
      })
      const [run] = (found['runs'] ?? []) as MlflowRun[]
      if (run) return run
      const made = await ask('POST', '2.0/mlflow/runs/create', 'make a run', {
        experiment_id: experiment,
        run_name: name,
        start_time: toMilliseconds(startedAt),
        tags: [{ key, value }],
      })
      return made['run'] as MlflowRun
    },
    async log(run, { params = {}, metrics = {}, tags = {}, at }) {
      const log = (batch: JsonRecord) =>
        ask('POST', '2.0/mlflow/runs/log-batch', 'log to a run', { run_id: run, ...batch })
      for (const some of splitInParts(toKeyValues(params), paramsTogether)) await log({ params: some })
      for (const some of splitInParts(Object.entries(metrics), metricsTogether))
        // MLflow merges measurements of the same time, step and value: it keeps a repeated one once.
        await log({
          metrics: some.map(([key, value]) => ({ key, value, timestamp: toMilliseconds(at), step: 0 })),
        })
      for (const some of splitInParts(toKeyValues(tags), paramsTogether)) await log({ tags: some })
    },
    async dataset(run, { name, digest, source, profile }) {
      await ask('POST', '2.0/mlflow/runs/log-inputs', 'log the dataset', {
        run_id: run,
        datasets: [
          {
            tags: [{ key: 'mlflow.data.context', value: 'evaluation' }],
            // MLflow holds 36 characters of a digest.
            dataset: { name, digest: digest.slice(0, 36), source_type: 'stateeval', source, profile },
          },
        ],
      })
    },
    async artifact({ info }, path, content) {
      const { artifact_uri: uri } = info
      const [, folder] = /^mlflow-artifacts:(?:\/\/[^/]*)?\/(.*)$/.exec(uri) ?? []
      if (folder === undefined)
        throw new Failure(
          `MLflow at ${root} does not store artifacts itself (${uri}). Start it with --serve-artifacts, or use --no-artifacts.`,
        )
      await ask('PUT', `2.0/mlflow-artifacts/artifacts/${folder}/${path}`, 'store an artifact', content)
    },
    async trace(experiment, run, { id, requestTime, seconds, request, response, tags, assessments }) {
      const started = await ask('POST', '3.0/mlflow/traces', 'log a trace', {
        trace: {
          trace_info: {
            trace_id: id,
            trace_location: {
              type: 'MLFLOW_EXPERIMENT',
              mlflow_experiment: { experiment_id: experiment },
            },
            request_time: requestTime,
            execution_duration: `${seconds.toFixed(3)}s`,
            state: 'OK',
            request_preview: request.slice(0, 1000),
            response_preview: response.slice(0, 1000),
            trace_metadata: { 'mlflow.sourceRun': run, 'mlflow.trace_schema.version': '3' },
            tags,
          },
        },
      })
      const { trace_info: info } = (started['trace'] ?? {}) as { trace_info?: { assessments?: JsonRecord[] } }
      const known = await ask('GET', `3.0/mlflow/traces/${id}`, 'read a trace').catch(() => started)
      const stored = ((known['trace'] as { trace_info?: typeof info } | undefined)?.trace_info ?? info)
        ?.assessments
      const there = new Set((stored ?? []).map((one) => one['assessment_name']))
      for (const { name, value, rationale } of assessments)
        if (!there.has(name))
          await ask('POST', `3.0/mlflow/traces/${id}/assessments`, 'log an assessment', {
            assessment: {
              assessment_name: name,
              trace_id: id,
              source: { source_type: 'CODE', source_id: 'stateeval' },
              create_time: requestTime,
              last_update_time: requestTime,
              feedback: { value },
              ...(rationale !== undefined && { rationale }),
            },
          })
    },
    async finish(run, status, at) {
      await ask('POST', '2.0/mlflow/runs/update', 'end a run', {
        run_id: run,
        status,
        end_time: toMilliseconds(at),
      })
    },
  }
}
