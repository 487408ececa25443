/** Begins to build a set from programs, with defaults for absent options. */
import { BuildOptions, ProblemError } from '@stateeval/contracts'
import { chooseLevel, findOptionFaults, type Scenario } from '@stateeval/program'
import { type MessageBus, createChecker, type ServicePlatform } from '@stateeval/service-kit'
import { type SuiteCatalog, checkLanguages, askLanguages, listScenarios } from '@stateeval/sets'
import { chooseAgents } from '../choices/agents.ts'
import type { ModelChoices } from '../choices/models.ts'
import {
  type ItemWindow,
  type RunningPlaces,
  takePlace,
  checkProvider,
  beginStage,
  createStage,
  type ResourceReader,
  type StageStarter,
  type OwnerSource,
  describeBenchmark,
} from '@stateeval/jobs'
import type { OperationRoute } from './route.ts'

interface BenchmarkBuilder
  extends
    OwnerSource,
    ModelChoices,
    ResourceReader,
    StageStarter,
    Pick<RunningPlaces, 'quota' | 'active'>,
    Pick<SuiteCatalog, 'scenarios' | 'loadScenario' | 'benchmarks'>,
    Pick<ServicePlatform, 'newId' | 'now'> {
  bus: MessageBus
  window: ItemWindow
}

export const createBenchmark: OperationRoute<'createBenchmark', BenchmarkBuilder> = async (
  { body, idempotencyKey },
  context,
) => {
  const kind = chooseKind(context.benchmarks, body.kind)
  const scenarios = await listScenarios(context, body.build)
  if (scenarios.length === 0)
    throw new ProblemError(
      'unprocessable',
      `there is no scenario ${JSON.stringify(body.build.scenario)}; available: ${context.scenarios.map(({ id }) => id).join(', ')}, all, or that of a stored model: POST /v1/worlds stores one`,
      '/build/scenario',
    )
  checkFit(context, kind, scenarios)
  const worlds = [...new Set(scenarios.map(({ world }) => world))]
  if (body.build.languages) await checkLanguages(context, worlds, body.build.languages, '/build/languages')
  const languages = body.build.languages ?? (await askLanguages(context, worlds))
  const level = chooseLevel(body.build)
  const build = createChecker(BuildOptions).complete({
    ...structuredClone(body.build),
    languages,
    ...(level !== undefined && { difficulty: level }),
  })
  if (build.keep > build.programs)
    throw new ProblemError(
      'unprocessable',
      `keep is ${build.keep} but there are only ${build.programs} programs; generate more programs, or keep fewer`,
      '/build/keep',
    )
  const [fault] = findOptionFaults(scenarios, build.scenarioOptions ?? {})
  if (fault)
    throw new ProblemError(
      'unprocessable',
      `${fault.name}: ${fault.says}`,
      `/build/scenarioOptions/${fault.name}`,
    )
  const { build: _, budget, kind: _k, provider, ...terms } = body
  await checkProvider(context, worlds, provider, languages)
  const choice = await chooseAgents(context, build, { ...terms, ...(budget && { budget }) })
  context.bus.check()
  const id = context.newId('bm', idempotencyKey)
  await takePlace(context, 'benchmark', id)
  const { owner, created } = await context.owners.create({
    id,
    entity: 'benchmark',
    status: 'running',
    stage: 'generate',
    stages: { generate: createStage(scenarios.length, context.window) },
    createdAt: context.now().toISOString(),
    kind,
    origin: 'build',
    ...(choice ?? { build }),
    ...(provider && { provider }),
    ...(budget && { budget }),
  })
  if (created) await beginStage(context, owner)
  return {
    status: 202,
    body: await describeBenchmark(context, owner),
    headers: { location: `/v1/benchmarks/${id}` },
  }
}

/** Throws a problem if no program of these scenarios becomes a case of this kind. */
function checkFit(
  { benchmarks, scenarios: all }: Pick<SuiteCatalog, 'benchmarks' | 'scenarios'>,
  kind: string,
  scenarios: readonly Scenario[],
): void {
  const build = benchmarks.find((one) => one.kind === kind)?.building?.build
  const unfit = (scenario: Scenario) => build?.unfit?.(scenario) ?? null
  const reasons = scenarios.flatMap((scenario) => unfit(scenario) ?? [])
  if (reasons.length < scenarios.length) return
  const fit = all.filter((scenario) => unfit(scenario) === null).map(({ id }) => id)
  throw new ProblemError(
    'unprocessable',
    `no program of ${scenarios.map(({ id }) => id).join(', ')} becomes a case of ${kind}: ${reasons[0]}; available: ${fit.join(', ')}`,
    '/build/scenario',
  )
}

/** The kind that is asked for, or the first that is built from programs. */
function chooseKind(benchmarks: SuiteCatalog['benchmarks'], named: string | undefined): string {
  const kinds = benchmarks.flatMap(({ kind, building }) => (building?.build ? [kind] : []))
  const kind = named ?? kinds[0]
  if (kind !== undefined && kinds.includes(kind)) return kind
  throw new ProblemError(
    'unprocessable',
    `no benchmark ${JSON.stringify(kind)} is built from programs; available: ${kinds.join(', ')}`,
    '/kind',
  )
}
