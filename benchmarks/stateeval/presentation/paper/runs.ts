/**
 * Runs for the exhibits: a set for each scenario, evaluations of it, and generations by each
 * strategy.
 */
import type { GenerationRequest } from '@stateeval/contracts'
import type { PaperRequest, PaperRun } from '@stateeval/program/presentation'

/** Calls on each path, as in the paper (section IV-A). */
export const length = 5

/** StateGen ahead of its time, StateGen's Algorithm 1, and the paper's StateGen-w/o-COV. */
export const strategies = ['planned', 'coverage', 'random'] as const
type CoverageStrategy = (typeof strategies)[number]

export const nameSet = (scenario: string) => `set of ${scenario}`
export const namePrompts = (scenario: string) => `prompts of ${scenario}`
export const nameEvaluation = (model: string, scenario: string) => `${model} on ${scenario}`
export const nameSettings = (model: string) => `settings of ${model}`
export const nameCurve = (scenario: string, strategy: CoverageStrategy, repeat: number) =>
  `${strategy} in ${scenario}, repeat ${repeat + 1}`

const isNeeded = (request: PaperRequest, ...ids: string[]) => ids.some((id) => request.exhibits.includes(id))

export function setRuns(request: PaperRequest): PaperRun[] {
  const { scenarios, programs, keep, seed } = request
  if (!isNeeded(request, '1', '2', 'fig4', 'fig5', 'rq5')) return []
  return scenarios.map((scenario) => ({
    name: nameSet(scenario),
    what: 'benchmark',
    request: { kind: 'stateeval', build: { scenario, programs, keep, seed } },
  }))
}

/** The paper's instruction length is that of "input prompts excluding API documentation". */
export function planPromptRuns(request: PaperRequest): PaperRun[] {
  const { scenarios, language } = request
  if (!isNeeded(request, '1')) return []
  return scenarios.map((scenario) => ({
    name: namePrompts(scenario),
    what: 'prompts',
    benchmark: nameSet(scenario),
    ...(language && { language }),
  }))
}

export function planEvaluationRuns(request: PaperRequest): PaperRun[] {
  const { models, scenarios, samples, language, seed } = request
  if (!isNeeded(request, '2', 'fig4', 'fig5', 'rq5')) return []
  return models.flatMap((model) => [
    { name: nameSettings(model), what: 'model', model } as const,
    ...scenarios.map((scenario): PaperRun => {
      const options = { samples, seed, ...(language && { language }) }
      return {
        name: nameEvaluation(model, scenario),
        what: 'evaluation',
        benchmark: nameSet(scenario),
        request: { model, ...options },
      }
    }),
  ])
}

/** The paper's own strategies have no observability filter; planned runs as it does by default. */
export function planCurveRuns(request: PaperRequest): PaperRun[] {
  const { scenarios, keep, repeats } = request
  if (!isNeeded(request, 'fig3')) return []
  return scenarios.flatMap((scenario) =>
    strategies.flatMap((strategy) =>
      Array.from({ length: repeats }, (_, repeat): PaperRun => {
        const seed = repeat === 0 ? request.seed : `${request.seed}/${repeat + 1}`
        const generation: GenerationRequest = { scenario, count: keep, length, seed, strategy }
        return {
          name: nameCurve(scenario, strategy, repeat),
          what: 'generation',
          request: { ...generation, observable: strategy === 'planned' },
        }
      }),
    ),
  )
}
