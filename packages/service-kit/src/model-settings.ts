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
})
