/** Evaluations and their results. Recorded from a run on the set of one case. */
import { exampleProgram } from '../program.ts'
import type { EvaluationResource, ReferenceAnswer, SampleAnswer } from '../evaluation/index.ts'
import type { Recording } from '../recording.ts'
import type { ScoredSample } from '../report.ts'

/** One that has just begun. */
export const runningEvaluation: EvaluationResource = {
  id: 'ev_0mwrxttlp1d0b3fb3c1',
  status: 'running',
  createdAt: '2026-11-22T14:34:10.333Z',
  progress: { done: 0, total: 1, phase: 'baseline check' },
  links: {
    self: '/v1/evaluations/ev_0mwrxttlp1d0b3fb3c1',
    benchmark: '/v1/benchmarks/bm_d60fce3e45aa6686b06',
    results: '/v1/evaluations/ev_0mwrxttlp1d0b3fb3c1/results',
    answers: '/v1/evaluations/ev_0mwrxttlp1d0b3fb3c1/answers',
    report: '/v1/evaluations/ev_0mwrxttlp1d0b3fb3c1/report',
    events: '/v1/evaluations/ev_0mwrxttlp1d0b3fb3c1/events',
  },
  benchmark: 'bm_d60fce3e45aa6686b06',
  digest: 'fedfe53a8d8edb298747429fef756bd8ca0ae4a56ef9245bf26f16ff0ba4e102',
  model: 'qwen',
  options: {
    samples: 1,
    prompting: 'direct',
    language: 'javascript',
    rounds: 2,
    shots: 3,
    seed: 1,
    documentation: 'full',
  },
  budget: { usd: 2 },
  spent: { requests: 0, promptTokens: 0, completionTokens: 0, costUsd: 0 },
  counts: { samples: 1, scored: 0, passed: 0, notScored: 0, timeouts: 0 },
}

/** The same evaluation, finished. */
export const exampleEvaluation: EvaluationResource = {
  id: 'ev_0mwrxttlp1d0b3fb3c1',
  status: 'succeeded',
  createdAt: '2026-11-22T14:34:10.333Z',
  finishedAt: '2026-11-22T14:34:11.271Z',
  progress: { done: 1, total: 1, phase: 'report' },
  links: {
    self: '/v1/evaluations/ev_0mwrxttlp1d0b3fb3c1',
    benchmark: '/v1/benchmarks/bm_d60fce3e45aa6686b06',
    results: '/v1/evaluations/ev_0mwrxttlp1d0b3fb3c1/results',
    answers: '/v1/evaluations/ev_0mwrxttlp1d0b3fb3c1/answers',
    report: '/v1/evaluations/ev_0mwrxttlp1d0b3fb3c1/report',
    events: '/v1/evaluations/ev_0mwrxttlp1d0b3fb3c1/events',
  },
  benchmark: 'bm_d60fce3e45aa6686b06',
  digest: 'fedfe53a8d8edb298747429fef756bd8ca0ae4a56ef9245bf26f16ff0ba4e102',
  model: 'qwen',
  options: {
    samples: 1,
    prompting: 'direct',
    language: 'javascript',
    rounds: 2,
    shots: 3,
    seed: 1,
    documentation: 'full',
  },
  budget: { usd: 2 },
  spent: { requests: 1, promptTokens: 1184, completionTokens: 71, costUsd: 0.00029360000000000003 },
  counts: { samples: 1, scored: 1, passed: 1, notScored: 0, timeouts: 0 },
}

/** A cancelled evaluation, which can be resumed. */
export const cancelledEvaluation: EvaluationResource = {
  ...runningEvaluation,
  status: 'cancelled',
  finishedAt: '2026-11-22T14:34:11.271Z',
}

const rescored = '/v1/evaluations/ev_0mwrxw1c2x7f21cd90a'
/** An evaluation that re-scores the samples of the first. */
export const rescoredEvaluation: EvaluationResource = {
  id: 'ev_0mwrxw1c2x7f21cd90a',
  status: 'running',
  createdAt: '2026-11-22T14:36:02.101Z',
  progress: { done: 0, total: 1, phase: 'evaluate' },
  links: {
    self: rescored,
    benchmark: '/v1/benchmarks/bm_d60fce3e45aa6686b06',
    results: `${rescored}/results`,
    answers: `${rescored}/answers`,
    report: `${rescored}/report`,
    events: `${rescored}/events`,
  },
  benchmark: runningEvaluation.benchmark,
  digest: runningEvaluation.digest,
  model: 'qwen',
  options: { ...runningEvaluation.options, policy: 'sound' },
  rescored: runningEvaluation.id,
  spent: { requests: 0, promptTokens: 0, completionTokens: 0, costUsd: 0 },
  counts: { samples: 1, scored: 0, passed: 0, notScored: 0, timeouts: 0 },
}

/** A sample that passed. */
export const exampleAnswer: SampleAnswer = {
  case: 'session-service-b7e6e072e94e',
  sample: 0,
  answer:
    '```javascript\nconst { data: listing } = await axios.get(`${BASE_URL}/api/sessions/portal/settings`);\nRESULT = { listing };\n```',
  finish: 'stop',
}
export const exampleReference: ReferenceAnswer = {
  case: 'session-service-b7e6e072e94e',
  language: 'javascript',
  instruction:
    'Please list the sessions stored under the source and type of `user_variable_0`. At the end, return what it found as `listing` in RESULT.',
  answer:
    "```javascript\nconst axios = require('axios');\n\nconst response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;\nRESULT = { listing: response_0 };\n```\n",
  program: {
    ...exampleProgram,
    variables: [{ name: 'user_variable_0', role: 'user', values: [{ source: 'portal', type: 'settings' }] }],
    body: [
      {
        kind: 'http',
        api: 'listSessions',
        method: 'GET',
        path: '/api/sessions/{source}/{type}',
        args: {
          source: { kind: 'reference', variable: 'user_variable_0', path: ['source'] },
          type: { kind: 'reference', variable: 'user_variable_0', path: ['type'] },
        },
        binds: 'response_0',
      },
    ],
    result: [{ key: 'listing', value: { kind: 'reference', variable: 'response_0', path: [] } }],
  },
  phrases: [
    { from: 7, to: 78, place: 'body/0' },
    { from: 92, to: 135, place: 'body/result' },
  ],
}
export const passedSample: ScoredSample = {
  case: 'session-service-b7e6e072e94e',
  sample: 0,
  score: { passed: true, verdict: 'passed', metrics: { pass: 1 }, evidence: { differences: [] } },
}

/** A failed sample of another model, with the reason. */
export const failedSample: ScoredSample = {
  case: 'session-service-b7e6e072e94e',
  sample: 0,
  score: {
    passed: false,
    verdict: 'result_error',
    metrics: { pass: 0 },
    evidence: {
      input: 0,
      differences: [
        {
          where: 'result.listing',
          expected:
            '[{ "data": { "theme": "dark" }, "id": <id 1 (initial)>, "source": "portal", "type": "settings" }]',
          says: 'RESULT has no "listing"',
        },
      ],
      rootCause: {
        cause: 'instruction_not_followed',
        kind: 'other_result',
        because: 'RESULT lacks listing',
        argument: 'listing',
      },
    },
  },
}

/** A recording: a line about the evaluation, then one line per answer. */
export const recordingText = [
  '{"recording":2,"model":{"name":"qwen","settings":{"model":"qwen3-coder","parameters":{"temperature":0},"prices":{"promptPerMillion":0.2,"completionPerMillion":0.8},"baseUrl":"http://127.0.0.1:8000/v1"}},"digest":"fedfe53a8d8edb298747429fef756bd8ca0ae4a56ef9245bf26f16ff0ba4e102","options":{"samples":1,"prompting":"direct","language":"javascript","rounds":2,"shots":3,"seed":1,"documentation":"full"}}',
  '{"key":"74e05956dac93b5ecbd8aacd9df813272189dccb3be561ad08fc9eaedc4096dc","text":"```js\\nconst axios = require(\'axios\');\\n\\nconst response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;\\nRESULT = { listing: response_0 };\\n```","finish":"stop","usage":{"requests":1,"promptTokens":1184,"completionTokens":71},"retries":0}',
]
  .map((line) => `${line}\n`)
  .join('')

export const exampleRecording: Recording = {
  id: 'rec_b9e04da04ad84ba9d1b9fc7d1d7c68eb8c06a1bda64720afd2f637b1fcab7ea4',
  model: 'qwen',
  answers: 1,
  links: { evaluations: '/v1/evaluations' },
}
