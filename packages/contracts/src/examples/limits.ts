import type {
  ProjectLimits,
  ProjectLimitsResource,
  ProjectUsage,
  RetentionResource,
} from '../project-limits.ts'

export const exampleLimits: ProjectLimits = {
  requestsPerSecond: 50,
  evaluations: 4,
  budget: { usd: 200, cpuSeconds: 360_000 },
}
export const exampleLimitsResource: ProjectLimitsResource = {
  project: 'speech-team',
  own: exampleLimits,
  effective: { ...exampleLimits, queuedExecutions: 5000 },
}
export const exampleRetention: RetentionResource = {
  project: 'speech-team',
  own: { days: 90 },
  effective: { days: 90 },
}
export const exampleUsage: ProjectUsage = {
  project: 'speech-team',
  from: '2026-01-01',
  until: '2026-02-01',
  used: {
    requests: 5120,
    modelRequests: 800,
    promptTokens: 1_200_000,
    completionTokens: 90_000,
    usd: 12.75,
    cpuSeconds: 310.5,
  },
  limits: exampleLimitsResource.effective,
  exhausted: [],
  running: { evaluations: 1, builds: 0, episodes: 0, streams: 0, executions: 0 },
  storedBytes: 48_000_000,
}
