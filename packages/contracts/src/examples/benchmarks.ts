/** Sets of test cases built by a state machine or a model. Recorded from a run. */
import type {
  BenchmarkCoverage,
  BenchmarkKind,
  BenchmarkResource,
  BuildOptions,
} from '../evaluation/index.ts'

const options: BuildOptions = {
  scenario: 'session-service',
  programs: 60,
  keep: 40,
  seed: 1,
  translator: 'template',
  strategy: 'planned',
  length: 5,
  controlFlow: true,
  secondWorlds: true,
  languages: ['javascript'],
}

/** A build that has just begun. */
export const buildingBenchmark: BenchmarkResource = {
  id: 'bm_0mwrxs2fs2b2656bafc',
  status: 'running',
  createdAt: '2026-11-22T14:32:48.472Z',
  progress: { done: 0, total: 1, phase: 'generate' },
  links: { self: '/v1/benchmarks/bm_0mwrxs2fs2b2656bafc' },
  kind: 'stateeval',
  origin: 'build',
  build: options,
}

/** The same build, finished: 40 of 60 programs. */
export const builtBenchmark: BenchmarkResource = {
  ...buildingBenchmark,
  status: 'succeeded',
  finishedAt: '2026-11-22T14:34:09.366Z',
  progress: { done: 60, total: 60, phase: 'sample' },
  links: {
    self: '/v1/benchmarks/bm_0mwrxs2fs2b2656bafc',
    manifest: '/v1/benchmarks/bm_0mwrxs2fs2b2656bafc/files/manifest.json',
    cases: '/v1/benchmarks/bm_0mwrxs2fs2b2656bafc/cases',
    prompts: '/v1/benchmarks/bm_0mwrxs2fs2b2656bafc/prompts',
  },
  manifest: {
    schema: 2,
    kind: 'stateeval',
    versions: { 'benchmark stateeval': '3', generator: '2', 'scenario session-service': '1' },
    seed: 1,
    options,
    counts: { generated: 60, passed: 60, kept: 40 },
    filtered: [{ scenario: 'session-service', phase: 'generate', reason: 'unobservable', count: 4 }],
    statistics: [
      {
        scenario: 'session-service',
        cases: 40,
        apis: 5,
        branches: 34,
        metrics: {
          bindingCount: { mean: 2.625, min: 1, max: 5 },
          codeTokens: { mean: 377.2, min: 201, max: 507 },
          functionCalls: { mean: 7.125, min: 5, max: 9 },
          instructionTokens: { mean: 246.6, min: 113, max: 370 },
          pathDepth: { mean: 1.125, min: 1, max: 2 },
          releasedBindingCount: { mean: 5.425, min: 2, max: 9 },
          releasedCodeTokens: { mean: 454.3, min: 249, max: 603 },
          releasedFunctionCalls: { mean: 19.225, min: 13, max: 25 },
          releasedPathDepth: { mean: 1.525, min: 1, max: 2 },
        },
        atc: 0.96,
        feasible: 25,
        atcFeasible: 0.96,
      },
    ],
    files: {
      'cases.jsonl': '03314b7b33e8150679fefa757ff3c6cd7963b200ea6a6a29a030a9d145dce28e',
      'README.md': '348fea649a6453cf547a5c4ce22135d6a75e76e281afac5e5622f28fe4c92817',
    },
    digest: 'a0627e69e1a40087c05e0a7f89a2d50932ba76b1f909f9c8641edab3f5e976b0',
  },
}

/** A cancelled build. */
export const cancelledBenchmark: BenchmarkResource = {
  ...buildingBenchmark,
  status: 'cancelled',
  finishedAt: '2026-11-22T14:32:59.120Z',
}

/** A build whose tasks a model writes. */
export const writingBenchmark: BenchmarkResource = {
  id: 'bm_0mwrxu3oceb9a3f3b81',
  status: 'running',
  createdAt: '2026-11-22T14:34:23.389Z',
  progress: { done: 0, total: 1, phase: 'write tasks' },
  links: { self: '/v1/benchmarks/bm_0mwrxu3oceb9a3f3b81' },
  kind: 'wapiibench',
  origin: 'build',
  writing: {
    id: 'shop',
    rounds: 3,
    together: 10,
    longest: 400000,
    seed: 1,
    specification: 'd8e8d685259357256b77eb449a180859ae7b8ff2fad4dcc1430df7703bf01f00',
    model: 'writer',
  },
}

export const exampleKind: BenchmarkKind = {
  kind: 'stateeval',
  title: 'StateEval',
  version: '3',
  policies: ['stateeval'],
  verdicts: ['passed', 'result_error', 'execution_error', 'timeout', 'infrastructure_error'],
  promptings: ['direct', 'cot', 'reflect', 'few-shot'],
  documentation: 'full',
  languages: ['javascript', 'python'],
  setups: [],
  layouts: [],
  settings: [],
  rootCauses: ['documentation_misread', 'implicit_state_mismanaged', 'instruction_not_followed'],
  scenarios: [
    { id: 'session-service', title: 'Session Service' },
    {
      id: 'tensor-operation',
      title: 'Tensor Operation',
      options: {
        elements: { about: 'Elements of a tensor at most', minimum: 64, maximum: 65_536, default: 512 },
      },
    },
  ],
  writing: false,
  help: { timeLimit: '10' },
}

/** The coverage of a small set. */
export const exampleCoverageOfSet: BenchmarkCoverage = {
  scenarios: [
    {
      scenario: 'session-service',
      apis: ['addSession', 'listSessions'],
      generated: {
        programs: 3,
        points: [
          { programs: 1, atc: 0.25, transitionPairs: 1 },
          { programs: 2, atc: 0.5, transitionPairs: 2 },
          { programs: 3, atc: 0.75, transitionPairs: 2 },
        ],
      },
      kept: {
        programs: 2,
        points: [
          { programs: 1, atc: 0.25, transitionPairs: 1 },
          { programs: 2, atc: 0.5, transitionPairs: 2 },
        ],
      },
      pairs: [
        { from: 'addSession', to: 'listSessions', adjacent: 2, linked: 2 },
        { from: 'listSessions', to: 'addSession', adjacent: 1, linked: 0 },
      ],
    },
  ],
}
