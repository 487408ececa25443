/** The scenarios and benchmarks of this version; a problem names the field where there is none. */
import { benchmarksFor } from '@stateeval/benchmarks'
import { parseWorldId, ProblemError } from '@stateeval/contracts'
import type { Benchmark, Scenario } from '@stateeval/program'
import { findScenario, scenarios } from '@stateeval/scenarios'
import type { ItemNames } from './score-order.ts'

export interface KnownParts {
  scenario(id: string): Scenario
  benchmark(kind: string): Benchmark
}

/** @param artifact what a case or its scenario names, by its hash */
export function createKnownParts(artifact: (hash: string) => Uint8Array): KnownParts {
  const scenario = (id: string) => {
    const match = findScenario(id, artifact)
    if (match) return match
    throw new ProblemError(
      'unprocessable',
      `there is no scenario ${id}; available: ${scenarios.map((one) => one.id).join(', ')}`,
      '/scenario',
    )
  }
  const byKind = benchmarksFor({ scenario, artifact })
  const benchmark = (kind: string) => {
    const match = byKind.get(kind)
    if (match) return match
    throw new ProblemError('unprocessable', `this version has no benchmark of the kind ${kind}`, '/kind')
  }
  return { scenario, benchmark }
}

/** Throws a problem where something that a request names is not there. */
export function checkNames({ kind, policy, scenario }: ItemNames, known: KnownParts): void {
  if (kind !== undefined) {
    const { policies } = known.benchmark(kind)
    if (policy !== undefined && !policies.includes(policy)) {
      throw new ProblemError(
        'unprocessable',
        `${kind} has no policy ${policy}; available: ${policies.join(', ')}`,
        '/policy',
      )
    }
  }
  // That of a model is looked up when its artifact is loaded.
  if (scenario !== undefined && parseWorldId(scenario) === null) known.scenario(scenario)
}
