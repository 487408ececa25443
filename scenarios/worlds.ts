/** Scenarios of world models. */
import { parseWorldId } from '@stateeval/contracts'
import type { Scenario } from '@stateeval/program'
import { readCanonicalModel, type WorldModel } from '@stateeval/world-model'
import { createWorldScenario } from '@stateeval/world-scenario'

/** Bytes of an artifact that was loaded before. Throws where it was not. */
export type ArtifactReader = (hash: string) => Uint8Array

/** Scenarios that are kept: a service asks for the same ones again and again. */
const maxKept = 8
const keptById = new Map<string, Scenario>()

/** The scenario of an id that names a model; null for another id. Throws where the artifact is no model. */
export function findWorldScenario(id: string, artifact: ArtifactReader): Scenario | null {
  const hash = parseWorldId(id)
  if (hash === null) return null
  // First: what another project has stored must not be found here.
  const bytes = artifact(hash)
  const scenario = keptById.get(id) ?? createWorldScenario(readModel(bytes), { id })
  keptById.delete(id)
  keptById.set(id, scenario)
  for (const oldest of [...keptById.keys()].slice(0, -maxKept)) keptById.delete(oldest)
  return scenario
}

export const readModel = (bytes: Uint8Array): WorldModel =>
  readCanonicalModel(new TextDecoder().decode(bytes))
