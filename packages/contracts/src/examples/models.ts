/** A built-in model and a named endpoint. */
import type { Model } from '../model.ts'

export const builtInModel: Model = {
  name: 'reference',
  kind: 'built-in',
  description: 'Answers with the reference code: a set whose oracle is right gives it 100 %',
  links: { self: '/v1/models/reference' },
}

export const exampleModel: Model = {
  name: 'qwen',
  kind: 'endpoint',
  settings: {
    model: 'qwen3-coder',
    parameters: { temperature: 0 },
    prices: { promptPerMillion: 0.2, completionPerMillion: 0.8 },
    baseUrl: 'http://127.0.0.1:8000/v1',
  },
  updatedAt: '2026-11-22T14:34:10.223Z',
  links: { self: '/v1/models/qwen' },
}
