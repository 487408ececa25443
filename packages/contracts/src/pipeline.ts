/** The pipeline's steps, in the order of README, compose file, dashboard and services. */
export const pipeline = [
  { step: 'generate', service: 'trace-generation', port: 7401, takes: 'options', gives: 'programs' },
  { step: 'translate', service: 'translation', port: 7402, takes: 'program', gives: 'verified instruction' },
  { step: 'execute', service: 'execution', port: 7403, takes: 'code, inputs, world', gives: 'observations' },
  { step: 'score', service: 'scoring', port: 7404, takes: 'observations, oracle', gives: 'score' },
  { step: 'evaluate', service: 'evaluation', port: 7400, takes: 'benchmark, model', gives: 'report' },
] as const
export type ServiceName = (typeof pipeline)[number]['service']
/**
 * The coordinator sends jobs to all services, receives their outcomes, and maintains the streams and dead
 * letters.
 */
export const coordinator: ServiceName = 'evaluation'
export const serviceNames = pipeline.map((step) => step.service)
