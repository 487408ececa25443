/** The canonical form of a model, and the digest by which programs and services name it. */
import { canonicalJson, sha256 } from '@stateeval/contracts'
import type { WorldModel } from './model.ts'
import { findModelFault } from './validate.ts'

/**
 * The canonical text of what a model predicts. Reasons are no part of it: a fact that one more probe
 * confirms leaves the benchmarks of the world as they are.
 */
export function formatCanonicalModel({ facts: _, ...behaviour }: WorldModel): string {
  return canonicalJson({ ...behaviour, facts: {} })
}

export const computeModelDigest = (model: WorldModel) => `sha256:${sha256(formatCanonicalModel(model))}`

/** Length of a canonical text: models of published documents have a twentieth of it. */
const maxCharacters = 2 ** 21

/** The model of a canonical text, whose reasons are unknown. Throws a RangeError that names the fault. */
export function readCanonicalModel(text: string): WorldModel {
  if (text.length > maxCharacters) throw new RangeError(`a model has at most ${maxCharacters} characters`)
  const behaviour = parseBehaviour(text)
  const model = { ...behaviour, facts: { '': { by: 'spec', confirmed: 0 } } } as const
  const fault = findModelFault(model)
  if (fault) throw new RangeError(`${fault.field || 'the model'} ${fault.says}`)
  return model
}

function parseBehaviour(text: string): WorldModel {
  try {
    return JSON.parse(text) as WorldModel
  } catch {
    throw new RangeError('a model is JSON')
  }
}
