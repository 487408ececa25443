/**
 * A paper's runs in the services, over HTTP. Each is created under an Idempotency-Key of everything that
 * determines its result. The same command therefore finds earlier runs: it waits for running ones, resumes
 * stopped ones, and never pays twice.
 */
import {
  type UsageBudget,
  computeContentId,
  type EvaluationResource,
  type JobStatus,
  type Program,
} from '@stateeval/contracts'
import { ServiceError } from '@stateeval/client'
import type { PaperResult, PaperRun } from '@stateeval/program/presentation'
import { Failure } from '../command.ts'
import { describeSpending } from '../suite/conclude.ts'
import { connectEvaluation, connectTraceGeneration } from '../suite/index.ts'
import { readEveryPage } from '../suite/pages.ts'
import { watch } from '../suite/watch.ts'
import type { CommandTerminal } from '../terminal.ts'
import type { MakeRun } from './run.ts'

interface RunMaking {
  terminal: CommandTerminal
  signal: AbortSignal
  /** The published data as a benchmark; its id. */
  importDataset: () => Promise<string>
  budget?: UsageBudget
}

interface SuiteJob {
  id: string
  status: JobStatus
  progress: { done: number; total: number; phase: string }
  error?: string
}
type IdempotencyHeaders = { 'idempotency-key': string }

/** How often something that failed or was deleted is made anew under another key. */
const maxTries = 50
const hasStopped = ({ status }: SuiteJob) => status === 'failed' || status === 'cancelled'

/**
 * The job that `create` made under the first key whose job still exists and has not stopped. `parts`: all
 * that decides what it gives.
 */
async function findOrMake<T extends SuiteJob>(
  parts: unknown,
  create: (headers: IdempotencyHeaders) => Promise<T>,
  get: (id: string) => Promise<T>,
  isUsable: (job: T) => boolean,
): Promise<T> {
  const key = `paper-${computeContentId(parts)}`
  for (let n = 0; n < maxTries; n++) {
    const { id } = await create({ 'idempotency-key': `${key}-${n}` })
    try {
      const job = await get(id)
      if (isUsable(job)) return job
    } catch (error) {
      if (!(error instanceof ServiceError) || error.problem.status !== 404) throw error
    }
  }
  throw new Failure(
    `It was built ${maxTries} times, and each build failed or was deleted. See why: npx stateeval list benchmarks`,
  )
}

export function createSuiteRuns({ terminal, signal, importDataset, budget }: RunMaking): MakeRun {
  const versions = memoizeOnce(async () =>
    Object.fromEntries(
      (await readEveryPage((query) => connectTraceGeneration().listScenarios({ query }))).map(
        ({ id, version }) => [id, version] as const,
      ),
    ),
  )
  const watched = <T extends SuiteJob>(
    name: string,
    first: T,
    get: (id: string) => Promise<T>,
    more?: (job: T) => string[],
  ) => {
    const later = 'the same command again; it continues'
    const title = name
    return watch({ title, first, get: () => get(first.id), later, ...(more && { more }) }, terminal, signal)
  }

  async function generation({ name, request }: Extract<PaperRun, { what: 'generation' }>) {
    const client = connectTraceGeneration()
    const get = (id: string) => client.getGeneration({ params: { id } })
    const job = await findOrMake(
      [request, await versions()],
      (headers) => client.createGeneration({ body: request, headers }),
      get,
      (one) => !hasStopped(one),
    )
    const { id } = await watched(name, job, get)
    const coverage = await client.getGenerationCoverage({ params: { id } })
    return { id, result: { what: 'generation', coverage } as const }
  }

  async function benchmark({ name, request }: Extract<PaperRun, { what: 'benchmark' }>) {
    const client = connectEvaluation()
    const get = (id: string) => client.getBenchmark({ params: { id } })
    const job = await findOrMake(
      [request, await versions()],
      (headers) => client.createBenchmark({ body: request, headers }),
      get,
      (one) => !hasStopped(one),
    )
    const resource = await watched(name, job, get)
    return { id: resource.id, result: { what: 'benchmark', benchmark: resource } as const }
  }

  async function evaluated(
    { name, request, benchmark: set }: Extract<PaperRun, { what: 'evaluation' }>,
    sets: ReadonlyMap<string, string>,
  ) {
    const client = connectEvaluation()
    const get = (id: string) => client.getEvaluation({ params: { id } })
    const { settings } = await client.getModel({ params: { name: request.model ?? '' } })
    const body = { ...request, benchmark: sets.get(set) ?? '', ...(budget && { budget }) }
    const match = await findOrMake<EvaluationResource>(
      [body, settings ?? null],
      (headers) => client.createEvaluation({ body, headers }),
      get,
      () => true,
    )
    const job = hasStopped(match)
      ? await client.resumeEvaluation({ params: { id: match.id }, body: {} })
      : match
    const { id } = await watched(name, job, get, describeSpending)
    const report = await client.getEvaluationReport({ params: { id } })
    return { id, result: { what: 'evaluation', report } as const }
  }

  return async (run, sets) => {
    terminal.progress(run.name)
    switch (run.what) {
      case 'generation':
        return generation(run)
      case 'benchmark':
        return benchmark(run)
      case 'evaluation':
        return evaluated(run, sets)
      case 'prompts':
        return { id: sets.get(run.benchmark) ?? '', result: await readPrompts(run, sets) }
      case 'dataset': {
        const id = await importDataset()
        const imported = await connectEvaluation().getBenchmark({ params: { id } })
        return { id, result: { what: 'benchmark', benchmark: imported } }
      }
      case 'model': {
        const model = await connectEvaluation().getModel({ params: { name: run.model } })
        return { id: run.model, result: { what: 'model', model } }
      }
    }
  }
}

/** Programs in a request, whose size is bounded. */
const batch = 50

async function readPrompts(
  { benchmark: set, language = 'javascript' }: Extract<PaperRun, { what: 'prompts' }>,
  sets: ReadonlyMap<string, string>,
): Promise<PaperResult> {
  const params = { id: sets.get(set) ?? '' }
  const client = connectEvaluation()
  const prompts = parseJsonLines<{ messages: { content: string }[] }>(
    await client.getBenchmarkPrompts({ params, query: { language, documentation: 'none' } }),
  )
  const cases = parseJsonLines<{ program: Program }>(
    await client.getBenchmarkFile({ params: { ...params, file: 'cases.jsonl' } }),
  )
  const tokens: number[] = []
  for (let from = 0; from < cases.length; from += batch) {
    const programs = cases.slice(from, from + batch).map(({ program }) => program)
    const instructions = prompts
      .slice(from, from + batch)
      .map(({ messages }) => messages.map(({ content }) => content).join('\n'))
    const { metrics } = await connectTraceGeneration().measurePrograms({
      body: { language, programs, instructions },
    })
    tokens.push(...metrics.map(({ instructionTokens = 0 }) => instructionTokens))
  }
  return { what: 'prompts', tokens }
}
const parseJsonLines = <T>(text: string): T[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]))

function memoizeOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let promise: Promise<T> | undefined
  return () => (promise ??= make())
}
