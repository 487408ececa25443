import { BuildOptions, ProblemError } from '@stateeval/contracts'
import { type Benchmark, faultsOfOptions } from '@stateeval/program'
import { checker } from '@stateeval/service-kit'
import type { Route } from '../context.ts'
import { beginStage, newStage } from '../owners/stage.ts'
import { checkLanguages, languagesOf } from '../languages.ts'
import { chooseAgents } from '../choose-agents.ts'
import { scenariosOf } from '../owners/generated.ts'
import { benchmarkResource } from '../resources.ts'

export const createBenchmark: Route<'createBenchmark'> = async ({ body, idempotencyKey }, context) => {
  const kind = kindOf(context.benchmarks, body.kind)
  const scenarios = scenariosOf(context, body.build)
  if (scenarios.length === 0)
    throw new ProblemError(
      'unprocessable',
      `there is no scenario ${JSON.stringify(body.build.scenario)}; there are: ${context.scenarios.map(({ id }) => id).join(', ')}, all`,
      '/build/scenario',
    )
  const worlds = [...new Set(scenarios.map(({ world }) => world))]
  if (body.build.languages) await checkLanguages(context, worlds, body.build.languages, '/build/languages')
  const languages = body.build.languages ?? (await languagesOf(context, worlds))
  const asked = checker(BuildOptions).complete({ ...structuredClone(body.build), languages })
  if (asked.keep > asked.programs)
    throw new ProblemError(
      'unprocessable',
      `keep is ${asked.keep} of only ${asked.programs} programs; ask for more programs, or keep fewer`,
      '/build/keep',
    )
  const [fault] = faultsOfOptions(scenarios, asked.scenarioOptions ?? {})
  if (fault)
    throw new ProblemError(
      'unprocessable',
      `${fault.name}: ${fault.says}`,
      `/build/scenarioOptions/${fault.name}`,
    )
  const { build: _, budget, kind: _k, ...terms } = body
  const chosen = await chooseAgents(context, asked, { ...terms, ...(budget && { budget }) })
  context.bus.check()
  const id = context.newId('bm', idempotencyKey)
  const { owner, created } = await context.owners.create({
    id,
    kind: 'benchmark',
    status: 'running',
    stage: 'generate',
    stages: { generate: newStage(scenarios.length, context.window) },
    createdAt: context.now().toISOString(),
    benchmark: kind,
    origin: 'build',
    ...(chosen ?? { build: asked }),
    ...(budget && { budget }),
  })
  if (created) await beginStage(context, owner)
  return {
    status: 202,
    body: await benchmarkResource(context, owner),
    headers: { location: `/v1/benchmarks/${id}` },
  }
}

/** The kind that is asked for, or the first that is built from programs. */
function kindOf(benchmarks: readonly Benchmark[], wanted: string | undefined): string {
  const kinds = benchmarks.flatMap(({ id, build }) => (build ? [id] : []))
  const kind = wanted ?? kinds[0]
  if (kind !== undefined && kinds.includes(kind)) return kind
  throw new ProblemError(
    'unprocessable',
    `no benchmark ${JSON.stringify(kind)} is built from programs; there are: ${kinds.join(', ')}`,
    '/kind',
  )
}
