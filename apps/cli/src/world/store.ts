/** World models that the suite stores. */
import type { WorldModelResource } from '@stateeval/contracts'
import { Failure } from '../command.ts'
import { connectEvaluation } from '../suite/index.ts'
import { readModel } from './live.ts'

/** Stores the model of a file. */
export async function pushWorld(file: string): Promise<WorldModelResource> {
  const model = await readModel(file)
  return connectEvaluation().createWorldModel({ body: model })
}

/** The digest in `sha256:…`, or in the id of its scenario. */
export function parseDigest(text: string): string {
  const digest = text.replace(/^world@/, '')
  if (!/^sha256:[0-9a-f]{64}$/.test(digest))
    throw new Failure(`Cannot read the digest ${text}. npx stateeval list worlds shows digests: sha256:…`)
  return digest
}
