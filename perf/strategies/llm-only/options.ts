/** The options of the bench, and the model that they name. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Budget, ModelSettings } from '@stateeval/contracts'
import { faultOfSettings, type ModelRules, type NamedModel, readModels, readRules } from '@stateeval/models'
import { checker } from '../../../packages/service-kit/src/validation.ts'

export interface LlmOnlyOptions {
  model: NamedModel
  /** Programs wanted of each scenario, and questions at most. */
  programs: number
  queries: number
  budget: Budget
  /** Where answers are kept, so that a second run asks for nothing twice. */
  answers: string
}
type Environment = Readonly<Record<string, string | undefined>>

const answersFile = join(import.meta.dirname, '../../../node_modules/.cache/stateeval/llm-only-answers.jsonl')

/** `llmOnly` is null where no model is named. Throws an error that says what to do where an option is not right. */
export function readOptions(
  options: string[],
  env: Environment,
): { seeds: number; llmOnly: LlmOnlyOptions | null } {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: options,
    options: {
      seeds: { ...text, default: '200' },
      model: text,
      'base-url': text,
      'model-id': text,
      'key-env': text,
      programs: { ...text, default: '40' },
      queries: text,
      'budget-usd': text,
      'budget-tokens': text,
      answers: { ...text, default: answersFile },
    },
  })
  const seeds = count('seeds', values.seeds)
  const { model: name, 'base-url': baseUrl, 'model-id': modelId, 'key-env': keyEnv } = values
  if (name === undefined) return { seeds, llmOnly: null }
  const settings = baseUrl
    ? described({ baseUrl, model: modelId ?? name, ...(keyEnv && { keyEnv }) }, env)
    : declared(name, env)
  const programs = count('programs', values.programs)
  const [usd, tokens] = [values['budget-usd'], values['budget-tokens']]
  if (usd !== undefined && !settings.prices)
    throw new Error(
      `--budget-usd: ${name} has no prices; give them in the models file, or take --budget-tokens`,
    )
  return {
    seeds,
    llmOnly: {
      model: { name, settings },
      programs,
      queries: values.queries === undefined ? 5 * programs : count('queries', values.queries),
      budget: {
        ...(usd !== undefined && { usd: amount('budget-usd', usd) }),
        ...(tokens !== undefined && { tokens: amount('budget-tokens', tokens) }),
      },
      answers: values.answers,
    },
  }
}

/** The bench runs on one machine, so models may be on it. */
export const rulesOf = (env: Environment): ModelRules =>
  readRules(env, (env.STATEEVAL_MODEL_NETWORKS || 'loopback').split(','))

function amount(name: string, text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0)) throw new Error(`--${name} must be a number from 0, not ${text}`)
  return value
}
function count(name: string, text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new Error(`--${name} must be an integer from 1, not ${text}`)
  return Number(text)
}

/** A model of the file that services read, too. */
function declared(name: string, env: Environment): ModelSettings {
  const file = env.STATEEVAL_MODELS_FILE
  if (!file)
    throw new Error(
      `--model ${name}: describe it with --base-url, --model-id and --key-env, or declare it in a file that STATEEVAL_MODELS_FILE names (docs/models.md)`,
    )
  const models = readModels(file, readFileSync(file, 'utf8'), rulesOf(env), (schema, value) =>
    checker(schema).fault(value),
  )
  const settings = models.get(name)
  if (!settings)
    throw new Error(`--model ${name}: ${file} declares ${[...models.keys()].join(', ') || 'none'}`)
  return settings
}

function described(settings: ModelSettings, env: Environment): ModelSettings {
  const fault = faultOfSettings(settings, rulesOf(env))
  if (fault) throw new Error(`--base-url, --key-env: ${fault.says}`)
  return settings
}
