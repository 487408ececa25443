/** Stand-ins for the services whose jobs an evaluation sends out, on the real queue. */
import {
  type Case,
  type ExecutionRequest,
  questions,
  type ScoreRequest,
  subjects,
  type WorldSummary,
} from '@stateeval/contracts'
import {
  type AnyJob,
  createLog,
  type RunningService,
  startService,
  startWorker,
  type JobWorker,
} from '@stateeval/service-kit'
import { namespace, type Servers } from '@stateeval/testkit'
import { createCatalog } from '../src/catalog.ts'
import type { EvaluationContext } from '../src/context.ts'
import { evaluation } from '../src/app.ts'
import { benchmark, executor, programsOf } from '../../../packages/flows/test/fakes.ts'

interface FakeServices {
  /** Jobs that were handled, by kind. */
  handled: Record<string, number>
  /** What was asked of execution. */
  executed: ExecutionRequest[]
  stop(): Promise<void>
}

const everyWorld: WorldSummary[] = [
  { id: 'session-service', languages: ['javascript'], unavailable: { python: 'No python3. Install it.' } },
]
interface FakeOptions {
  seed?: number
  disturb?: (kind: string, id: string) => Promise<void>
  /** What execution answers when it is asked for languages. */
  worlds?: () => WorldSummary[]
}

/** `disturb` may throw, or wait, in place of a job. */
export function startFakes(
  running: Pick<RunningService, 'platform'>,
  {
    seed = 1,
    disturb = async (_kind: string, _id: string) => {},
    worlds = () => everyWorld,
  }: FakeOptions = {},
): FakeServices {
  running.platform.bus.answer(questions.worlds, worlds)
  const programs = programsOf(40, seed)
  const execute = executor(programs)
  const handled: Record<string, number> = {}
  const executed: ExecutionRequest[] = []
  const job = <P>(
    kind: 'generate' | 'translate' | 'execute' | 'score',
    give: (payload: P) => unknown,
  ): AnyJob<unknown> => ({
    takes: subjects[kind],
    concurrency: 4,
    retryDelayMs: () => 10,
    validate: (payload) => payload,
    async handle(payload, _context, { id }) {
      await disturb(kind, id)
      handled[kind] = (handled[kind] ?? 0) + 1
      return give(payload as P)
    },
  })
  const jobs = [
    job('generate', ({ options }: { options: { count: number } }) => ({
      programs: programs.slice(0, options.count),
      statistics: { dropped: { dead_end: 2 }, apis: 5 },
    })),
    job('translate', ({ program }: { program: { id: string } }) =>
      Number.parseInt(program.id[0] as string, 16) < 3
        ? { status: 'rejected', reason: 'two readings' }
        : { status: 'verified', instruction: `do ${program.id}` },
    ),
    job('execute', (request: ExecutionRequest) => {
      executed.push(request)
      return execute(request)
    }),
    job('score', (request: ScoreRequest & { case: Case }) => benchmark.score(request)),
  ]
  const workers: JobWorker[] = jobs.map((one) => startWorker(one, {}, running.platform))
  return {
    handled,
    executed,
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop(1000)))
    },
  }
}

export interface WithFakes {
  running: RunningService
  fakes: FakeServices
  stop(): Promise<void>
}
export interface FakedOptions {
  ns?: string
  env?: Record<string, string>
  disturb?: FakeOptions['disturb']
  worlds?: FakeOptions['worlds']
  sweepEveryMs?: number
}

/** The service itself on these servers, with the small benchmark, and stand-ins for the other services. */
export async function startWithFakes(
  servers: Servers,
  { ns = namespace(), env = {}, disturb, worlds, sweepEveryMs }: FakedOptions = {},
): Promise<WithFakes> {
  const level = process.env['TEST_LOG'] ?? 'silent'
  const running = await startService(evaluation, {
    env: {
      ...servers.env,
      STATEEVAL_NAMESPACE: ns,
      PORT: '0',
      LOG_LEVEL: level,
      STATEEVAL_MODEL_NETWORKS: 'loopback',
      ...env,
    },
    log: createLog('evaluation', { level }),
    ...(sweepEveryMs !== undefined && { sweepEveryMs }),
    // Plans look at the record that was built, so the stand-in goes into that one too.
    overrides: {
      catalog: {
        ...createCatalog(() => {
          throw new Error('the stand-in has no artifacts')
        }),
        benchmark: () => benchmark,
        findBenchmark: () => benchmark,
      },
    } satisfies Partial<EvaluationContext>,
  })
  await running.platform.bus.ready()
  const fakes = startFakes(running, { ...(disturb && { disturb }), ...(worlds && { worlds }) })
  const started: WithFakes = {
    running,
    fakes,
    // A test may put other stand-ins in their place.
    async stop() {
      await this.fakes.stop()
      await this.running.stop(1000)
    },
  }
  return started
}
