/** The model that is asked, and its parameters, as chosen when the work began. */
import { type EvaluationOptions, type ModelSettings, ProblemError } from '@stateeval/contracts'
import type { BuildAgents, EndpointModel } from '@stateeval/flows'
import type { NamedModel } from '@stateeval/models'
import type { Benchmark } from '@stateeval/program'

export type ModelChoice =
  | EndpointModel
  | { kind: 'reference' }
  | { kind: 'mutant' }
  /** `missing`: so many samples have no answer, and count as failed unless the answers are `partial`. */
  | { kind: 'given'; label: string; answers: string; missing?: number; partial?: true }

export const getModelName = (model: ModelChoice) =>
  model.kind === 'endpoint' ? model.name : model.kind === 'given' ? model.label : model.kind

/** The prices of a model's answers; undefined if it has no prices or is built in. */
export const getPrices = (model: ModelChoice) =>
  model.kind === 'endpoint' ? model.settings.prices : undefined

/** The models of a build's agents, without duplicates. */
export const listAgentModels = ({ generator, evaluator, coder }: BuildAgents): NamedModel[] =>
  [generator, evaluator, coder].filter(
    ({ name }, at, all) => all.findIndex((one) => one.name === name) === at,
  )

/**
 * Applies the preset that `options.settings` names to a model's settings. Applying it twice changes
 * nothing.
 */
export function withPreset(
  settings: ModelSettings,
  { asking: { settings: presets = {} } }: Benchmark,
  options: EvaluationOptions,
): ModelSettings {
  const preset = options.settings === undefined ? undefined : presets[options.settings]
  return preset ? { ...settings, parameters: { ...settings.parameters, ...preset(options) } } : settings
}

/** The model with these settings. Throws a problem if no text is generated. */
export function applyPreset(
  choice: ModelChoice,
  benchmark: Benchmark,
  options: EvaluationOptions,
): ModelChoice {
  if (options.settings === undefined) return choice
  if (choice.kind === 'endpoint')
    return { ...choice, settings: withPreset(choice.settings, benchmark, options) }
  throw new ProblemError('unprocessable', 'a recording takes no settings; leave them out', '/settings')
}
