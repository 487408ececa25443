/** The options of a command that asks one model: which, from where, and for how much. */
import { readFile } from 'node:fs/promises'
import type { Budget, ModelSettings } from '@stateeval/contracts'
import type { Command } from 'commander'
import { Failure } from '../command.ts'
import { evaluation } from './index.ts'
import { amount, integer } from './options.ts'

export interface ModelCommand {
  model?: string
  recording?: string
  baseUrl?: string
  modelId?: string
  keyEnv?: string
  budgetUsd?: number
  budgetTokens?: number
  fresh?: boolean
}

/** All but the model and the recording, which each command says in its own words. */
export const modelOptions = (command: Command) =>
  command
    .option('--base-url <url>', 'names the model: base URL of an OpenAI-compatible endpoint')
    .option('--model-id <id>', 'names the model: the id that the endpoint knows')
    .option('--key-env <name>', 'names the model: the STATEEVAL_KEY_* variable that holds the key')
    .option('--budget-usd <dollars>', 'stop when the model has cost this much; it needs prices', amount)
    .option('--budget-tokens <n>', 'stop when the model has used so many tokens', integer(0, Number.MAX_SAFE_INTEGER))
    .option('--fresh', 'ask again also what was answered before')

/** Names the endpoint that the options describe, so that it can be called. */
export async function declareModel({ model, baseUrl, modelId, keyEnv }: ModelCommand): Promise<void> {
  if (!baseUrl) {
    if (modelId ?? keyEnv) throw new Failure('--model-id and --key-env describe an endpoint: --base-url is missing')
    return
  }
  if (!model) throw new Failure('--base-url needs --model: a name for the endpoint')
  const body: ModelSettings = { baseUrl, model: modelId ?? model, ...(keyEnv ? { keyEnv } : {}) }
  await evaluation().putModel({ params: { name: model }, body })
}

/** Imports a recording, and gives its id. */
export async function importedRecording(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Failure(`${file} can't be read; npx stateeval recording ID prints one`)
  })
  return (await evaluation().importRecording({ body: { text } })).id
}

export function budgetOf({ budgetUsd, budgetTokens }: ModelCommand): { budget?: Budget } {
  if (budgetUsd === undefined && budgetTokens === undefined) return {}
  return { budget: { ...(budgetUsd !== undefined && { usd: budgetUsd }), ...(budgetTokens !== undefined && { tokens: budgetTokens }) } }
}
