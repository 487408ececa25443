/** The settings of every service that asks models. */
import { defineSettings } from './settings.ts'

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
})
