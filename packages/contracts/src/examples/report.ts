/** The report of the evaluation of one case, with two of its groups. */
import type { EvaluationSummary, Report } from '../evaluation/index.ts'

export const exampleReport: Report = {
  result: {
    digest: 'fedfe53a8d8edb298747429fef756bd8ca0ae4a56ef9245bf26f16ff0ba4e102',
    explanations: {
      wilson:
        'The Wilson interval: rates that are compatible with what was seen, 95 times out of 100. It takes every sample as independent, which holds with one sample for each case.',
    },
    groups: {
      api: [
        {
          name: 'listSessions',
          rate: { interval: [0.206549, 1], method: 'wilson', passed: 1, rate: 1, scored: 1 },
        },
      ],
      length: [
        { name: '1', rate: { interval: [0.206549, 1], method: 'wilson', passed: 1, rate: 1, scored: 1 } },
      ],
    },
    model: 'qwen',
    notScored: 0,
    options: { documentation: 'full', language: 'javascript', prompting: 'direct', samples: 1, seed: 1 },
    overall: { interval: [0.206549, 1], method: 'wilson', passed: 1, rate: 1, scored: 1 },
    rootCauses: { documentation_misread: 0, implicit_state_mismanaged: 0, instruction_not_followed: 0 },
    samples: [
      {
        case: 'session-service-b7e6e072e94e',
        sample: 0,
        score: { evidence: { differences: [] }, metrics: { pass: 1 }, passed: true, verdict: 'passed' },
      },
    ],
    statistics: {
      cases: 1,
      clustered: [0.206549, 1],
      passAllK: [{ cases: 1, estimate: 1, k: 1 }],
      passAtK: [{ cases: 1, estimate: 1, k: 1 }],
    },
    verdicts: {
      execution_error: 0,
      infrastructure_error: 0,
      no_code: 0,
      passed: 1,
      resource_limit: 0,
      result_error: 0,
      syntax_error: 0,
      timeout: 0,
    },
    version: '2',
  },
  run: {
    evaluation: 'ev_0mwrxttlp1d0b3fb3c1',
    kind: 'stateeval',
    startedAt: '2026-11-22T14:34:10.333Z',
    finishedAt: '2026-11-22T14:34:11.271Z',
    wallMs: 938,
    samples: 1,
    retries: 0,
    hosts: ['lab-1'],
    runtimes: ['warm-jail node v24.21.0 axios 1.21.1 96e65bfd4a8ebc22 linux-x64'],
    sandboxes: { 'warm-jail': 1 },
    canaries: { clean: 1, touched: 0 },
    baselineCheck: {
      status: 'passed',
      cases: 1,
      runtime: 'warm-jail node v24.21.0 axios 1.21.1 96e65bfd4a8ebc22 linux-x64',
      failed: [],
      cached: false,
    },
    usage: { requests: 1, promptTokens: 1184, completionTokens: 71 },
    costUsd: 0.00029360000000000003,
    kept: 0,
    repeated: 0,
    cut: 0,
    budget: { usd: 2 },
    cases: [
      {
        case: 'session-service-b7e6e072e94e',
        requests: 1,
        promptTokens: 1184,
        completionTokens: 71,
        costUsd: 0.00029360000000000003,
      },
    ],
  },
}

const { samples: _samples, ...shown } = exampleReport.result
const { cases: _cases, ...run } = exampleReport.run
/** The same report without its samples. */
export const exampleSummary: EvaluationSummary = {
  result: shown,
  run,
  sections: [],
  failures: [
    {
      title: 'Root causes of failures',
      table: { head: ['root cause of failures', 'samples'], rows: [['instruction not followed', 1]] },
    },
  ],
}
