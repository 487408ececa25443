/**
 * The worlds that benchmarks bring along: what `createWorld` of their folders' `backend/` makes, where there
 * is one.
 */
import { existsSync } from 'node:fs'
import type { MakeWorld, SandboxWorld, WorldHost } from '@stateeval/sandbox'
import { folders } from './folders.ts'

const backends = await Promise.all(
  folders
    .filter((folder) => existsSync(new URL(`./${folder}/backend/index.ts`, import.meta.url)))
    .map(async (folder) => (await import(`./${folder}/backend/index.ts`)) as { createWorld: MakeWorld }),
)

/** All of them, opened by their first run. Close each when the process stops. */
export const makeBenchmarkWorlds = (host: WorldHost): SandboxWorld[] =>
  backends.map(({ createWorld }) => createWorld(host))
