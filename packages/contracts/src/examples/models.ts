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

export const probedModel: Model = {
  ...exampleModel,
  probe: {
    at: '2026-11-28T13:20:00.000Z',
    findings: [
      { id: 'streaming', found: 'yes' },
      {
        id: 'tools',
        found: 'no',
        how: 'text',
        value: 'qwen',
        remedy:
          'Your server’s tool parser is off, so calls come as text: start the parser (vLLM: --enable-auto-tool-choice with --tool-call-parser), or ask for calls in texts: ComplexFuncBench with --layout qwen, NESTFUL with --setup one-shot.',
      },
      { id: 'parallelCalls', found: 'unknown', reason: 'the endpoint makes no tool calls' },
      { id: 'contextLength', found: 'yes', value: '32768' },
    ],
    usage: { requests: 15, promptTokens: 1460, completionTokens: 620 },
    costUsd: 0.000788,
  },
}
