/** All scenarios: what the folders of the list export as default, and those of stored world models. */
import { parseWorldId } from '@stateeval/contracts'
import type { Scenario } from '@stateeval/program'
import { folders } from './folders.ts'
import { type ArtifactReader, findWorldScenario } from './worlds.ts'

// A world is known to its own scenario only: outside, every scenario is a Scenario.
export const scenarios: readonly Scenario[] = await Promise.all(
  folders.map(async (folder) => ((await import(`./${folder}/index.ts`)) as { default: Scenario }).default),
)

/**
 * The scenario of an id, or null.
 *
 * @param artifact the model of a `world@…` id, which the caller has loaded (listWorldArtifacts)
 */
export const findScenario = (id: string, artifact?: ArtifactReader): Scenario | null =>
  scenarios.find((scenario) => scenario.id === id) ?? (artifact ? findWorldScenario(id, artifact) : null)

/** The scenario of an id, or null; a model that it names is read from the store, where anything may be. */
export async function loadScenario(
  id: string,
  load: (hash: string) => Promise<Uint8Array | null>,
): Promise<Scenario | null> {
  const hash = parseWorldId(id)
  if (hash === null) return findScenario(id)
  const bytes = await load(hash)
  try {
    return bytes && findScenario(id, () => bytes)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
