/** Look-ups that answer 404 for missing resources. */
import { ProblemError } from '@stateeval/contracts'
import type { GenerationStore, StoredGeneration } from './store.ts'

export async function requireGeneration(store: GenerationStore, id: string): Promise<StoredGeneration> {
  const record = await store.find(id)
  if (!record) throw new ProblemError('not-found', `there is no generation ${JSON.stringify(id)}`)
  return record
}
