import { BuildOptions, ProblemError } from '@stateeval/contracts'
import { checker } from '@stateeval/service-kit'
import type { Route } from '../context.ts'
import { beginStage, newStage } from '../engine/complete.ts'
import { chooseAgents } from '../choose-agents.ts'
import { scenariosOf } from '../owners/generated.ts'
import { benchmarkResource } from '../resources.ts'

export const createBenchmark: Route<'createBenchmark'> = async ({ body, idempotencyKey }, context) => {
  const build = checker(BuildOptions).complete(structuredClone(body.build))
  const scenarios = scenariosOf(context, build)
  if (scenarios.length === 0)
    throw new ProblemError(
      'unprocessable',
      `there is no scenario ${JSON.stringify(build.scenario)}; there are: ${context.scenarios.map(({ id }) => id).join(', ')}, all`,
      '/build/scenario',
    )
  if (build.keep > build.programs)
    throw new ProblemError(
      'unprocessable',
      `keep is ${build.keep} of only ${build.programs} programs; ask for more programs, or keep fewer`,
      '/build/keep',
    )
  const { budget, fresh } = body
  const agents = await chooseAgents(context, build, { ...(budget && { budget }), ...(fresh && { fresh }) })
  context.bus.check()
  const id = context.newId('bm', idempotencyKey)
  const { owner, created } = await context.owners.create({
    id,
    kind: 'benchmark',
    status: 'running',
    stage: 'generate',
    stages: { generate: newStage(scenarios.length, context.window) },
    createdAt: context.now().toISOString(),
    benchmark: 'stateeval',
    origin: 'build',
    build,
    ...(agents && { agents }),
    ...(budget && { budget }),
  })
  if (created) await beginStage(context, owner)
  return { status: 202, body: await benchmarkResource(context, owner), headers: { location: `/v1/benchmarks/${id}` } }
}
