/**
 * Names → flat typed environment → nested frozen config, with the files that settings name: prompts,
 * models, live APIs.
 */
import { readFileSync } from 'node:fs'
import { benchmarks } from '@stateeval/benchmarks'
import type { LiveApi, ModelSettings } from '@stateeval/contracts'
import { type ModelRules, createNetworks, readLiveApis, readModels, readRules } from '@stateeval/models'
import { type BenchmarkHost, findPromptFault, type PromptFile } from '@stateeval/program'
import {
  buildBaseConfig,
  baseSettings,
  createChecker,
  freezeConfig,
  defineSettings,
  type ProcessEnvironment,
  readFromSettings,
  readHostLists,
  getErrorText,
  modelSettings,
  readPromptFiles,
  readSettings,
  SettingsError,
  type SettingValues,
} from '@stateeval/service-kit'
import { agentPrompts } from '@stateeval/translate'
import { createItemWindow } from '@stateeval/jobs'
import type { SignInConfig } from './dashboard/sign-in.ts'

export const settings = defineSettings({
  ...baseSettings,
  ...modelSettings,
  STATEEVAL_WINDOW: {
    type: 'integer',
    optional: true,
    min: 1,
    max: 4096,
    doc: 'Maximum number of items of one build or evaluation in flight. Default: twice the jobs that all replicas of execution hold, from 16 to 512',
  },
  STATEEVAL_MODELS_FILE: {
    type: 'string',
    optional: true,
    doc: 'JSON file that declares models: an object of settings by name, as in PUT /v1/models/{name}',
  },
  STATEEVAL_LIVE_APIS_FILE: {
    type: 'string',
    optional: true,
    doc: 'JSON file that declares the live APIs that benchmarks may call: an object of settings by name, see docs/models.md',
  },
  STATEEVAL_OIDC_CLIENT_ID: {
    type: 'string',
    optional: true,
    pattern: /^[!-~]{1,255}$/,
    doc: 'Client id of the dashboard at the OIDC issuer; enables sign-in in the browser. Its redirect URI is the dashboard’s address with /sign-in',
  },
  STATEEVAL_OIDC_CLIENT_SECRET: {
    type: 'string',
    optional: true,
    secret: true,
    doc: 'Secret of that client, if it is a confidential one. Default: a public client',
  },
  STATEEVAL_OIDC_CLIENT_SCOPES: {
    type: 'list',
    default: ['openid'],
    doc: 'Scopes that the dashboard requests at sign-in',
  },
  STATEEVAL_OIDC_CLIENT_PARAMETERS: {
    type: 'list',
    default: [],
    doc: 'Further parameters of the authorization request, such as audience=stateeval or resource=https://stateeval.example.com',
  },
  STATEEVAL_WEBHOOK_NETWORKS: {
    type: 'list',
    default: [],
    doc: 'Non-public addresses that webhooks may use, in the form of STATEEVAL_MODEL_NETWORKS. Default of npx stateeval up: loopback',
  },
  STATEEVAL_WEBHOOK_HOSTS: {
    type: 'list',
    default: [],
    doc: 'Allow-list for webhook receivers, in addition to STATEEVAL_WEBHOOK_NETWORKS; separated by commas. Default: every public address',
  },
  STATEEVAL_WEBHOOK_DENIED: {
    type: 'list',
    default: [],
    doc: 'Deny-list for webhook receivers: hosts, addresses and subnets, separated by commas. It overrides the allow-lists',
  },
  STATEEVAL_WEBHOOK_RETRY_SECONDS: {
    type: 'list',
    default: ['5', '300', '1800', '7200', '18000', '36000', '50400', '72000', '86400'],
    doc: 'Seconds to wait after each failed delivery attempt; after the last wait and attempt, the delivery has failed',
  },
})

export function readConfig(env: ProcessEnvironment) {
  const values = readSettings(settings, env)
  const base = buildBaseConfig('evaluation', values)
  const rules = readFromSettings(() => readRules(env, values.STATEEVAL_MODEL_NETWORKS, readHostLists(values)))
  return freezeConfig({
    ...base,
    signIn: signInConfig(values, base.access.oidc?.issuer),
    prompts: readPrompts(values.STATEEVAL_PROMPTS),
    agentPrompts: readPromptFiles(agentPrompts, values.STATEEVAL_PROMPTS),
    opinionPrompts: readOpinionPrompts(values.STATEEVAL_PROMPTS),
    window: createItemWindow(values.STATEEVAL_WINDOW),
    networks: rules.networks,
    webhookNetworks: readFromSettings(() => readWebhookNetworks(values)),
    webhookRetriesMs: readFromSettings(() => parseRetries(values.STATEEVAL_WEBHOOK_RETRY_SECONDS)),
    models:
      values.STATEEVAL_MODELS_FILE === undefined
        ? new Map<string, ModelSettings>()
        : readModelFile(values.STATEEVAL_MODELS_FILE, rules),
    liveApis:
      values.STATEEVAL_LIVE_APIS_FILE === undefined
        ? new Map<string, LiveApi>()
        : readLiveApiFile(values.STATEEVAL_LIVE_APIS_FILE, rules),
  })
}
export type EvaluationConfig = ReturnType<typeof readConfig>

function signInConfig(
  values: SettingValues<typeof settings>,
  issuer: string | undefined,
): SignInConfig | undefined {
  const { STATEEVAL_OIDC_CLIENT_ID: clientId, STATEEVAL_OIDC_CLIENT_PARAMETERS: parameters } = values
  if (clientId === undefined) return undefined
  if (issuer === undefined)
    throw new SettingsError(['STATEEVAL_OIDC_CLIENT_ID needs an issuer: set STATEEVAL_OIDC_ISSUER'])
  const pairs = parameters.map((text) => /^([a-z_]{1,50})=([!-~]{1,500})$/.exec(text))
  const at = pairs.indexOf(null)
  if (at >= 0)
    throw new SettingsError([
      `STATEEVAL_OIDC_CLIENT_PARAMETERS: ${parameters[at]} is not a parameter; list them as name=value`,
    ])
  return {
    issuer,
    clientId,
    clientSecret: values.STATEEVAL_OIDC_CLIENT_SECRET,
    scopes: values.STATEEVAL_OIDC_CLIENT_SCOPES,
    parameters: Object.fromEntries(pairs.map((pair) => [pair![1]!, pair![2]!])),
  }
}

const readWebhookNetworks = (values: SettingValues<typeof settings>) =>
  createNetworks(
    values.STATEEVAL_WEBHOOK_NETWORKS,
    { hosts: values.STATEEVAL_WEBHOOK_HOSTS, denied: values.STATEEVAL_WEBHOOK_DENIED },
    {
      networks: 'STATEEVAL_WEBHOOK_NETWORKS',
      hosts: 'STATEEVAL_WEBHOOK_HOSTS',
      denied: 'STATEEVAL_WEBHOOK_DENIED',
    },
  )

/** A day at most each, so that the queue is checked in time. */
function parseRetries(seconds: readonly string[]): number[] {
  return seconds.map((text) => {
    if (!/^\d{1,5}(\.\d+)?$/.test(text) || Number(text) > 86_400)
      throw new Error(
        `STATEEVAL_WEBHOOK_RETRY_SECONDS: ${text} is not a valid wait; list seconds up to 86400, such as 5,300,7200`,
      )
    return Number(text) * 1000
  })
}

const nowhere: BenchmarkHost = {
  scenario: (id) => {
    throw new Error(`there is no scenario ${id} before the start`)
  },
}

function readPrompt(name: string, prompt: PromptFile, replaced: string | undefined): string {
  const faultOf = (_: string, text: string) => findPromptFault(prompt, text)
  return readPromptFiles({ folder: prompt.folder, names: [name], faultOf }, replaced)[name]!
}

/**
 * Prompts for writing tasks, by kind of benchmark and name. Throws a SettingsError that names the file and
 * what is wrong with it.
 */
function readPrompts(folder: string | undefined): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const kinds = benchmarks.map((make) => {
    const { kind, building } = make(nowhere)
    const prompts = Object.entries(building?.writing?.prompts ?? {})
    const texts = prompts.map(([name, prompt]) => [name, readPrompt(name, prompt, folder)] as const)
    return [kind, Object.fromEntries(texts)] as const
  })
  return Object.fromEntries(kinds)
}

/** The prompts for second opinions, by kind of benchmark. Throws a SettingsError for an invalid file. */
export function readOpinionPrompts(folder: string | undefined): Readonly<Record<string, string>> {
  const kinds = benchmarks.flatMap((make) => {
    const { kind, reporting: { opinions } = {} } = make(nowhere)
    return opinions ? [[kind, readPrompt('second-opinion', opinions.prompt, folder)] as const] : []
  })
  return Object.fromEntries(kinds)
}

/**
 * Reads a file of models. Throws a SettingsError, so that the service does not start with half of what it was
 * told.
 */
function readModelFile(file: string, rules: ModelRules): ReadonlyMap<string, ModelSettings> {
  try {
    return readModels(file, readFileSync(file, 'utf8'), rules, (schema, value) =>
      createChecker(schema).fault(value),
    )
  } catch (error) {
    throw new SettingsError([`STATEEVAL_MODELS_FILE: ${getErrorText(error)}`])
  }
}

/** Reads a file of live APIs, in the same way. */
function readLiveApiFile(file: string, rules: ModelRules): ReadonlyMap<string, LiveApi> {
  try {
    return readLiveApis(file, readFileSync(file, 'utf8'), rules, (schema, value) =>
      createChecker(schema).fault(value),
    )
  } catch (error) {
    throw new SettingsError([`STATEEVAL_LIVE_APIS_FILE: ${getErrorText(error)}`])
  }
}
