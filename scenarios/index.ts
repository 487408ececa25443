/** The explicit list of scenarios; adding one is a folder and a line. */
import type { Scenario } from '@stateeval/program'
import { elevenLabsMcp } from '@stateeval/scenario-elevenlabs-mcp'
import { sessionService } from '@stateeval/scenario-session-service'
import { tensorOperation } from '@stateeval/scenario-tensor-operation'

// A world is known to its own scenario only: outside, every scenario is a Scenario.
export const scenarios: readonly Scenario[] = [sessionService, tensorOperation, elevenLabsMcp]

/** The scenario of an id, or null. */
export const findScenario = (id: string): Scenario | null =>
  scenarios.find((scenario) => scenario.id === id) ?? null
