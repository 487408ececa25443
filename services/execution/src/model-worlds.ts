/** Worlds of stored models, made when a request names one. */
import { parseWorldId } from '@stateeval/contracts'
import { LRUCache } from 'lru-cache'
import type { SandboxWorld } from '@stateeval/sandbox'
import { makeModelWorld } from '@stateeval/scenarios/backends'
import { type ProjectArtifacts, separateByProject } from '@stateeval/service-kit'

/** Finds the world of an id; null where no model is stored under it. Each project finds only its own. */
export function createModelWorlds(
  artifacts: Pick<ProjectArtifacts, 'get'>,
): (id: string) => Promise<SandboxWorld | null> {
  const known = separateByProject(() => ({ worlds: new LRUCache<string, SandboxWorld>({ max: 16 }) }))
  return async (id) => {
    const hash = parseWorldId(id)
    if (hash === null) return null
    const there = known.worlds.get(id)
    if (there) return there
    const bytes = await artifacts.get(hash)
    if (!bytes) return null
    try {
      const world = makeModelWorld(id, bytes)
      known.worlds.set(id, world)
      return world
    } catch (error) {
      // Another artifact, such as a tensor.
      if (error instanceof RangeError) return null
      throw error
    }
  }
}
