/** The dependencies of handlers and jobs, built in one place; tests override some of them. */
import { benchmarksFor } from '@stateeval/benchmarks'
import { ProblemError, type scoringOperations } from '@stateeval/contracts'
import type { Benchmark, Scenario } from '@stateeval/program'
import { findScenario, scenarios } from '@stateeval/scenarios'
import {
  createArtifactCache,
  createThreads,
  type Handler,
  type Platform,
  type ArtifactCache,
  type Threads,
} from '@stateeval/service-kit'
import type { Config } from './config.ts'

export interface Context extends Platform {
  config: Config
  /** A scenario by id, a benchmark by its kind; a problem that names the field where there is none. */
  scenario(id: string): Scenario
  benchmark(kind: string): Benchmark
  /** What cases need besides themselves. */
  artifactCache: ArtifactCache
  /** Long items are scored there. */
  threads: Threads
  /** Models are compared there, one comparison after the other. */
  compareThreads: Threads
}

export function buildContext(platform: Platform, config: Config): Context {
  const artifactCache = createArtifactCache(platform.artifacts)
  const scenario = (id: string) => {
    const match = findScenario(id)
    if (match) return match
    throw new ProblemError(
      'unprocessable',
      `there is no scenario ${id}; available: ${scenarios.map((one) => one.id).join(', ')}`,
      '/scenario',
    )
  }
  const byKind = benchmarksFor({ scenario, artifact: artifactCache.get })
  const benchmark = (kind: string) => {
    const match = byKind.get(kind)
    if (match) return match
    throw new ProblemError('unprocessable', `this version has no benchmark of the kind ${kind}`, '/kind')
  }
  return {
    ...platform,
    config,
    scenario,
    benchmark,
    artifactCache,
    threads: createThreads(new URL('./thread.ts', import.meta.url)),
    compareThreads: createThreads(new URL('./compare-thread.ts', import.meta.url), { maxThreads: 1 }),
  }
}

/** The handler of an operation of this service. */
export type Route<Id extends keyof typeof scoringOperations> = Handler<
  (typeof scoringOperations)[Id],
  Context
>
