/** The dependencies of handlers and jobs, built in one place; tests override some of them. */
import type { Scenario } from '@stateeval/program'
import { scenarios } from '@stateeval/scenarios'
import type { Platform } from '@stateeval/service-kit'
import type { Config } from './config.ts'
import { openStore, type Store } from './store.ts'

export interface Context extends Platform {
  config: Config
  scenarios: readonly Scenario[]
  store: Store
}
export const buildContext = (platform: Platform, config: Config): Context => ({
  ...platform,
  config,
  scenarios,
  store: openStore(platform.mongo, platform.artifacts),
})
