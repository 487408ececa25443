/** The parameters that a model is asked with in an evaluation: its own, and over them those that the evaluation names. */
import { type EvaluationOptions, type ModelSettings, ProblemError } from '@stateeval/contracts'
import type { Benchmark } from '@stateeval/program'
import type { ModelChoice } from './choice.ts'

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
  throw new ProblemError(
    'unprocessable',
    'settings are for models that are asked; leave them out',
    '/settings',
  )
}
