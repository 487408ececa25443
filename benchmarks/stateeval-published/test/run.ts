/** Runs answers in the real sandbox against the real worlds. */
import type { Candidate, EpisodeOptions, Score } from '@stateeval/contracts'
import {
  listArtifacts,
  type Benchmark,
  type DatasetSet,
  runEpisode,
  oneAnswer,
  resolveTensors,
} from '@stateeval/program'
import { completeLimits, createNoWorld, createSandbox, type SandboxWorld } from '@stateeval/sandbox'
import { createTensorWorld } from '@stateeval/scenario-tensor-operation/backend'
import { createSessionWorld } from '@stateeval/scenario-session-service/backend'
import type { PublishedCase, ScenarioName } from '../case.ts'
import { worlds } from '../run/harness.ts'
import { startDatabase } from '../../../scenarios/session-service/backend/test/service.ts'

export interface Runner {
  /** Why programs of a scenario can't run here; null where they can. */
  missing(scenario: ScenarioName): Promise<string | null>
  candidate(set: Set, c: PublishedCase, answer: string, options?: Partial<EpisodeOptions>): Promise<Candidate>
  score(set: Set, c: PublishedCase, answer: string): Promise<Score>
  close(): Promise<void>
}
interface Set {
  set: DatasetSet
  benchmark: Benchmark<PublishedCase>
}

export async function startRunner(
  only: readonly ScenarioName[] = ['session', 'tensor', 'voice'],
): Promise<Runner> {
  const sandbox = await createSandbox()
  const database = only.includes('session') ? await startDatabase() : null
  const byId: Record<string, SandboxWorld> = {
    [worlds.voice]: createNoWorld(),
    ...(database && {
      [worlds.session]: createSessionWorld({ mongodb: database.client, prefix: 'published', poolSize: 4 }),
    }),
    ...(only.includes('tensor') && { [worlds.tensor]: createTensorWorld() }),
  }
  const run = (
    code: string,
    world: string,
    inputs: Parameters<typeof sandbox.run>[0]['inputs'],
    limits = {},
  ) =>
    sandbox.run(
      { language: 'python', code, inputs, world: byId[world]!, limits: completeLimits(limits) },
      new AbortController().signal,
    )
  const candidate: Runner['candidate'] = async ({ set, benchmark }, c, answer, options) => {
    const { candidate: result } = await runEpisode(
      benchmark.episode,
      c,
      { language: 'python', prompting: 'direct', ...options },
      {
        reply: oneAnswer(answer),
        execute: async ({ code, world, inputs, limits }) => {
          const whole =
            listArtifacts(inputs).length > 0
              ? resolveTensors(inputs, (hash) => set.artifacts[hash])
              : { ok: true as const, value: inputs }
          if (!whole.ok) throw new Error(whole.says)
          return { observations: await run(code, world, whole.value, limits), runtime: 'test' }
        },
      },
    )
    return result
  }
  return {
    candidate,
    async missing(scenario) {
      if (!sandbox.languages.includes('python')) return sandbox.unavailable.python ?? 'there is no Python'
      if (scenario !== 'tensor') return null
      const [observation] = await run('RESULT = torch.__version__', worlds.tensor, [
        { variables: {}, world: {} },
      ])
      return observation!.ending.status === 'completed'
        ? null
        : `no torch: ${JSON.stringify(observation!.ending).slice(0, 300)}`
    },
    score: async (all, c, answer) =>
      all.benchmark.score({ case: c, candidate: await candidate(all, c, answer) }),
    async close() {
      await sandbox.close()
      await Promise.all(Object.values(byId).map((world) => world.close()))
      await database?.stop()
    },
  }
}
