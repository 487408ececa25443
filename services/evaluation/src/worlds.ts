/** World models from outside: checked, in the two forms that are stored. A thread loads this file, too. */
import { formatWorldId, ProblemError, sha256, type WorldDocument } from '@stateeval/contracts'
import { findScenario } from '@stateeval/scenarios'
import { findModelFault, formatCanonicalModel, type WorldModel } from '@stateeval/world-model'

export interface StoredWorld {
  title: string
  types: number
  operations: number
  callable: number
  /** The artifact of what the model predicts; backups take what a document names. */
  model: string
  /** The artifact of the model with its reasons. */
  document: string
  createdAt: string
}
export interface ReadWorld extends Pick<StoredWorld, 'title' | 'types' | 'operations' | 'callable'> {
  /** What the model predicts; its hash is the model's digest. */
  canonical: string
  hash: string
  document: string
}

/** Throws a problem that names the place of a fault. */
export function readWorld(body: WorldDocument): ReadWorld {
  const fault = findModelFault(body)
  if (fault)
    throw new ProblemError('unprocessable', `${fault.field || 'the model'} ${fault.says}`, fault.field)
  const model = body as WorldModel
  const canonical = formatCanonicalModel(model)
  const hash = sha256(canonical)
  return {
    title: model.title,
    types: Object.keys(model.types).length,
    operations: Object.keys(model.operations).length,
    callable: countCallable(formatWorldId(hash), canonical),
    canonical,
    hash,
    document: JSON.stringify(model),
  }
}

function countCallable(id: string, canonical: string): number {
  try {
    return findScenario(id, () => Buffer.from(canonical))!.operations.length
  } catch (error) {
    if (error instanceof RangeError) throw new ProblemError('unprocessable', error.message, '/operations')
    throw error
  }
}
