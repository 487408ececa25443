/** The dependencies of handlers and jobs, built in one place; tests override some of them. */
import type { Scenario } from '@stateeval/program'
import { scenarios } from '@stateeval/scenarios'
import type { ServicePlatform } from '@stateeval/service-kit'
import type { TraceConfig } from './config.ts'
import { openStore, type GenerationStore } from './store.ts'

export interface TraceContext extends Pick<
  ServicePlatform,
  'artifacts' | 'bus' | 'mongo' | 'newId' | 'now' | 'send'
> {
  config: TraceConfig
  scenarios: readonly Scenario[]
  store: GenerationStore
}
export const buildContext = (platform: ServicePlatform, config: TraceConfig): TraceContext => ({
  ...platform,
  config,
  scenarios,
  store: openStore(platform.mongo, platform.artifacts),
})
