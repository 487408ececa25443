/** Generations in the contract's form, and their creation. */
import {
  type Generation,
  GenerationOptions,
  type GenerationRequest,
  nestedLength,
  ProblemError,
} from '@stateeval/contracts'
import { defaultOptions, generatorVersion } from '@stateeval/generate'
import { completeDifficulty, findOptionFaults, type Scenario, withOptions } from '@stateeval/program'
import { loadScenario } from '@stateeval/scenarios'
import { createChecker } from '@stateeval/service-kit'
import type { TraceContext } from './context.ts'
import type { StoredGeneration } from './store.ts'

type ScenarioSource = Pick<TraceContext, 'scenarios' | 'artifacts'>

/** The scenario with an id; throws a problem that names the available ones. */
export async function requireScenario(
  { scenarios, artifacts }: ScenarioSource,
  id: string,
  field?: string,
): Promise<Scenario> {
  const match = await loadScenario(id, (hash) => artifacts.get(hash))
  if (match) return match
  const ids = scenarios.map((scenario) => scenario.id).join(', ')
  throw new ProblemError(
    field ? 'unprocessable' : 'not-found',
    `there is no scenario ${JSON.stringify(id)}; available: ${ids}`,
    field,
  )
}

/** The scenario of a generation, with the options that the generation sets. */
export const requireScenarioWithOptions = async (
  source: ScenarioSource,
  { scenario, scenarioOptions }: GenerationOptions,
): Promise<Scenario> => withOptions(await requireScenario(source, scenario), scenarioOptions)

/** All options of a request, with defaults; throws a problem if the scenario does not know one. */
export function completeGenerationOptions(
  request: GenerationRequest,
  scenario: Scenario,
  { config }: Pick<TraceContext, 'config'>,
): GenerationOptions {
  const { length } = defaultOptions
  const options = createChecker(GenerationOptions).complete({
    length,
    ...completeDifficulty(scenario, structuredClone(request)),
  })
  const { maxCount } = config.generation
  if (options.count > maxCount)
    throw new ProblemError(
      'unprocessable',
      `a generation has at most ${maxCount} programs; ask for fewer`,
      '/count',
    )
  options.apis.forEach((api, index) => {
    if (scenario.operations.some(({ id, optIn }) => id === api && optIn)) return
    const optional = scenario.operations.filter(({ optIn }) => optIn).map(({ id }) => id)
    throw new ProblemError(
      'unprocessable',
      `${api} is not an opt-in API of ${scenario.id}; available: ${optional.join(', ') || 'none'}`,
      `/apis/${index}`,
    )
  })
  const all = scenario.operations.map(({ id }) => id)
  for (const [index, api] of (options.only ?? []).entries())
    if (!all.includes(api))
      throw new ProblemError(
        'unprocessable',
        `${api} is not an API of ${scenario.id}; available: ${all.join(', ')}`,
        `/only/${index}`,
      )
  if ((options.pathDepth?.min ?? 0) >= options.length)
    throw new ProblemError(
      'unprocessable',
      `a path of ${options.length} calls has a depth of at most ${options.length - 1}; give a smaller pathDepth.min or a greater length`,
      '/pathDepth/min',
    )
  if ((options.branches ?? 0) > 1 && options.length < nestedLength)
    throw new ProblemError(
      'unprocessable',
      `paths of ${options.length} calls have no room for nested branches; give at most 1 for branches or a greater length`,
      '/branches',
    )
  for (const name of ['pathDepth', 'bindings'] as const) {
    const { min = 0, max = Infinity } = options[name] ?? {}
    if (min > max)
      throw new ProblemError(
        'unprocessable',
        `${name}.min is ${min}, more than ${name}.max, which is ${max}; give a smaller min`,
        `/${name}/min`,
      )
  }
  const [fault] = findOptionFaults([scenario], options.scenarioOptions ?? {})
  if (fault)
    throw new ProblemError('unprocessable', `${fault.name}: ${fault.says}`, `/scenarioOptions/${fault.name}`)
  return options
}

export const buildGeneration = (id: string, options: GenerationOptions, scenario: Scenario, now: Date) => ({
  _id: id,
  options,
  versions: { [scenario.id]: scenario.version, generate: generatorVersion },
  createdAt: now,
})

export function toResource({ _id, createdAt, finishedAt, ofJob: _, ...rest }: StoredGeneration): Generation {
  const self = `/v1/generations/${_id}`
  return {
    id: _id,
    ...rest,
    createdAt: createdAt.toISOString(),
    ...(finishedAt && { finishedAt: finishedAt.toISOString() }),
    links: { self, programs: `${self}/programs`, coverage: `${self}/coverage`, cancel: `${self}/cancel` },
  }
}
