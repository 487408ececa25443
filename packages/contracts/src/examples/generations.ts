/** Scenarios and generations; the coverage has only the first four programs. */
import type { Generation, GenerationCoverage, ScenarioSummary } from '../generation.ts'

export const exampleScenario: ScenarioSummary = {
  id: 'session-service',
  title: 'Session service',
  version: '1',
  world: 'session-service',
  operations: [
    { id: 'listSessions', optIn: false },
    { id: 'addSession', optIn: false },
    { id: 'querySessions', optIn: false },
    { id: 'updateSession', optIn: false },
    { id: 'deleteSession', optIn: false },
    { id: 'getSession', optIn: true },
    { id: 'fetchSessions', optIn: true },
  ],
}

export const queuedGeneration: Generation = {
  id: 'gen_0mwrxtv1l449df053f4',
  options: {
    scenario: 'session-service',
    count: 20,
    length: 5,
    seed: 1,
    strategy: 'planned',
    controlFlow: true,
    secondWorlds: true,
    observable: true,
    pairs: 'states',
    apis: [],
  },
  versions: { 'session-service': '1', generate: '2' },
  status: 'queued',
  progress: { done: 0, total: 20, phase: 'queued' },
  createdAt: '2026-11-22T14:34:12.201Z',
  links: {
    self: '/v1/generations/gen_0mwrxtv1l449df053f4',
    programs: '/v1/generations/gen_0mwrxtv1l449df053f4/programs',
    coverage: '/v1/generations/gen_0mwrxtv1l449df053f4/coverage',
    cancel: '/v1/generations/gen_0mwrxtv1l449df053f4/cancel',
  },
}

export const exampleGeneration: Generation = {
  id: 'gen_0mwrxtv1l449df053f4',
  options: {
    scenario: 'session-service',
    count: 20,
    length: 5,
    seed: 1,
    strategy: 'planned',
    controlFlow: true,
    secondWorlds: true,
    observable: true,
    pairs: 'states',
    apis: [],
  },
  versions: { 'session-service': '1', generate: '2' },
  status: 'succeeded',
  statistics: {
    programs: 20,
    branches: 18,
    deadBranches: 0,
    exhausted: false,
    dropped: { dead_end: 0, failing_prediction: 0, unobservable: 1, repeated_structure: 0 },
    apis: 5,
    adjacentPairs: 25,
    atc: 1,
    feasible: 25,
    atcFeasible: 1,
    transitionPairs: 23,
  },
  progress: { done: 20, total: 20, phase: 'generate' },
  createdAt: '2026-11-22T14:34:12.201Z',
  finishedAt: '2026-11-22T14:34:22.140Z',
  links: {
    self: '/v1/generations/gen_0mwrxtv1l449df053f4',
    programs: '/v1/generations/gen_0mwrxtv1l449df053f4/programs',
    coverage: '/v1/generations/gen_0mwrxtv1l449df053f4/coverage',
    cancel: '/v1/generations/gen_0mwrxtv1l449df053f4/cancel',
  },
}

export const cancelledGeneration: Generation = {
  ...queuedGeneration,
  status: 'cancelled',
  finishedAt: '2026-11-22T14:34:59.000Z',
}

export const exampleCoverage: GenerationCoverage = {
  apis: 5,
  adjacentPairs: [7, 14, 19, 23],
  atc: [0.28, 0.56, 0.76, 0.92],
  feasible: 25,
  atcFeasible: [0.28, 0.56, 0.76, 0.92],
  transitionPairs: [11, 19, 21, 22],
  pairs: [
    'querySessions > updateSession',
    'updateSession > listSessions',
    'listSessions > addSession',
    'addSession > querySessions',
  ],
  dropped: { dead_end: 0, failing_prediction: 0, unobservable: 1, repeated_structure: 0 },
}
