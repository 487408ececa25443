/**
 * The worlds of the scenarios: what the folders' `backend/` export as `createWorld`, with the settings that
 * they need as `settings`.
 */
import type { MakeWorld, SandboxWorld, WorldHost } from '@stateeval/sandbox'
import type { ServiceSettings } from '@stateeval/service-kit'
import { createModelWorld } from '@stateeval/world-scenario/backend'
import { folders } from './folders.ts'
import { readModel } from './worlds.ts'

const backends = await Promise.all(
  folders.map(
    async (folder) =>
      (await import(`./${folder}/backend/index.ts`)) as {
        createWorld: MakeWorld
        settings?: ServiceSettings
      },
  ),
)

/** Settings that backends read from the environment, besides those of the service that runs them. */
export const worldSettings: ServiceSettings = Object.fromEntries(
  backends.flatMap(({ settings = {} }) => Object.entries(settings)),
)

/** All worlds, opened by their first run. Close each when the process stops. */
export const makeWorlds = (host: WorldHost): SandboxWorld[] =>
  backends.map(({ createWorld }) => createWorld(host))

/** The world of a stored model. Throws where the bytes are none. */
export const makeModelWorld = (id: string, bytes: Uint8Array): SandboxWorld =>
  createModelWorld(readModel(bytes), id)
