/** The dependencies of handlers and jobs, built in one place; tests override some of them. */
import type { traceGenerationOperations } from '@stateeval/contracts'
import type { Scenario } from '@stateeval/program'
import { scenarios } from '@stateeval/scenarios'
import type { Handler, Platform } from '@stateeval/service-kit'
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
  store: openStore(platform.mongo),
})

/** The handler of an operation of this service. */
export type Route<Id extends keyof typeof traceGenerationOperations> = Handler<
  (typeof traceGenerationOperations)[Id],
  Context
>
