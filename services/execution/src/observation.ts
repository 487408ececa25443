/** Observations without code: of a tool session, or of a list of calls. */
import type { ExecutionEnding, Observation } from '@stateeval/contracts'
import type { WorldObservation } from '@stateeval/sandbox'

/**
 * `snapshot` is the final state of the world; absent if it is unknown. `ms` is the time that its calls
 * took.
 */
export const buildObservation = (
  ending: ExecutionEnding,
  { seed, ms, snapshot }: { seed: string; ms: number; snapshot?: Pick<WorldObservation, 'world' | 'log'> },
  faults: string[] = [],
): Observation => ({
  ending,
  world: snapshot?.world ?? null,
  log: snapshot?.log ?? [],
  output: '',
  faults,
  wallMs: Math.round(ms * 10) / 10,
  sandbox: 'none',
  seed,
})
