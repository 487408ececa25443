/** The settings of every service that asks models. */
import { defineSettings, type Values } from './settings.ts'

export const modelSettings = defineSettings({
  STATEEVAL_PROMPTS: {
    type: 'string',
    optional: true,
    doc: 'Folder with prompts that replace ours, those that are missing stay ours: generator.md, revise.md, evaluator.md of translation, tasks.md, tasks-again.md, second-opinion.md of evaluation',
  },
  STATEEVAL_KEY_NAMES: {
    type: 'list',
    default: [],
    doc: 'Further environment variables, besides STATEEVAL_KEY_*, that models may name as their key; separated by commas',
  },
  STATEEVAL_MODEL_NETWORKS: {
    type: 'list',
    default: [],
    doc: 'Where models may be besides public addresses; separated by commas: loopback, private (all private addresses), an address, a subnet such as 10.1.0.0/16, or a host such as gpu.internal or *.corp.example. npx stateeval up sets loopback where nothing is set',
  },
  STATEEVAL_MODEL_HOSTS: {
    type: 'list',
    default: [],
    doc: 'Allow-list of hosts, addresses and subnets where models, judges, embeddings and live APIs may be, besides those of STATEEVAL_MODEL_NETWORKS; separated by commas, such as api.openai.com,*.corp.example. Default: every public address',
  },
  STATEEVAL_MODEL_DENIED: {
    type: 'list',
    default: [],
    doc: 'Deny-list of hosts, addresses and subnets that models, judges, embeddings and live APIs may not be at, whatever else allows them; separated by commas',
  },
})

/** The lists that narrow where models may be. */
export const hostLists = (values: Values<typeof modelSettings>) => ({
  hosts: values.STATEEVAL_MODEL_HOSTS,
  denied: values.STATEEVAL_MODEL_DENIED,
})
