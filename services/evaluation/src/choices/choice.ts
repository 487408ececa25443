/** Who is asked, as it was chosen when the work began, and with which parameters. */
import { type EvaluationOptions, type ModelSettings, ProblemError } from '@stateeval/contracts'
import type { BuildAgents, Endpoint } from '@stateeval/flows'
import type { NamedModel } from '@stateeval/models'
import type { Benchmark } from '@stateeval/program'

export type ModelChoice =
  | Endpoint
  | { kind: 'reference' }
  | { kind: 'mutant' }
  | { kind: 'given'; label: string; answers: string }

export const modelName = (model: ModelChoice) =>
  model.kind === 'endpoint' ? model.name : model.kind === 'given' ? model.label : model.kind

/** What a model's answers cost; undefined where it has no prices, or is none. */
export const pricesOf = (model: ModelChoice) =>
  model.kind === 'endpoint' ? model.settings.prices : undefined

/** The models of a build's agents, each once. */
export const modelsOf = ({ generator, evaluator, coder }: BuildAgents): NamedModel[] =>
  [generator, evaluator, coder].filter(
    ({ name }, at, all) => all.findIndex((one) => one.name === name) === at,
  )

/** A model's settings with those that `options.settings` names; done again, it changes nothing. */
export function withPreset(
  settings: ModelSettings,
  { settings: presets = {} }: Benchmark,
  options: EvaluationOptions,
): ModelSettings {
  const preset = options.settings === undefined ? undefined : presets[options.settings]
  return preset ? { ...settings, parameters: { ...settings.parameters, ...preset(options) } } : settings
}

/** Who answers, with these settings. Throws a problem where nothing is generated. */
export function choiceWithPreset(
  choice: ModelChoice,
  benchmark: Benchmark,
  options: EvaluationOptions,
): ModelChoice {
  if (options.settings === undefined) return choice
  if (choice.kind === 'endpoint')
    return { ...choice, settings: withPreset(choice.settings, benchmark, options) }
  throw new ProblemError('unprocessable', 'a recording takes no settings; leave them out', '/settings')
}
