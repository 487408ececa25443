/** The explicit list of worlds that executions run against; adding one is a line. */
import type { World } from '@stateeval/sandbox'
import { createElevenLabsWorld } from '@stateeval/scenario-elevenlabs-mcp/backend'
import { createSessionWorld, type SessionWorldOptions } from '@stateeval/scenario-session-service/backend'
import { createTensorWorld } from '@stateeval/scenario-tensor-operation/backend'

/** What each world needs, by its id. */
export interface WorldsConfig {
  'session-service': SessionWorldOptions
}

/** All worlds, opened by their first run. Close each when the process stops. */
export const makeWorlds = (config: WorldsConfig): World[] => [
  createSessionWorld(config['session-service']),
  createElevenLabsWorld(),
  createTensorWorld(),
]
