/** The settings of every service that asks models. */
import { defineSettings, type SettingValues } from './settings.ts'

export const modelSettings = defineSettings({
  STATEEVAL_PROMPTS: {
    type: 'string',
    optional: true,
    doc: 'Directory of prompt overrides, such as generator.md or second-opinion.md; missing files fall back to the defaults',
  },
  STATEEVAL_KEY_NAMES: {
    type: 'list',
    default: [],
    doc: 'Further environment variables, besides STATEEVAL_KEY_*, that models may name as their key; separated by commas',
  },
  STATEEVAL_MODEL_NETWORKS: {
    type: 'list',
    default: [],
    doc: 'Non-public addresses that models may use: loopback, private, 10.1.0.0/16, gpu.internal, *.corp.example. Default of npx stateeval up: loopback',
  },
  STATEEVAL_MODEL_HOSTS: {
    type: 'list',
    default: [],
    doc: 'Allow-list for models, judges, embeddings and live APIs, such as api.openai.com,*.corp.example. Default: every public address',
  },
  STATEEVAL_MODEL_DENIED: {
    type: 'list',
    default: [],
    doc: 'Deny-list for models, judges, embeddings and live APIs: hosts, addresses and subnets, separated by commas. It overrides the allow-lists',
  },
})

/** The lists that restrict the networks of models. */
export const readHostLists = (values: SettingValues<typeof modelSettings>) => ({
  hosts: values.STATEEVAL_MODEL_HOSTS,
  denied: values.STATEEVAL_MODEL_DENIED,
})
