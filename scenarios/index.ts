/** All scenarios: what the folders of the list export as default. */
import type { Scenario } from '@stateeval/program'
import { folders } from './folders.ts'

// A world is known to its own scenario only: outside, every scenario is a Scenario.
export const scenarios: readonly Scenario[] = await Promise.all(
  folders.map(async (folder) => ((await import(`./${folder}/index.ts`)) as { default: Scenario }).default),
)

/** The scenario of an id, or null. */
export const findScenario = (id: string): Scenario | null =>
  scenarios.find((scenario) => scenario.id === id) ?? null
