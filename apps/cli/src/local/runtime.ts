/** State that running services report about themselves. */
import {
  evaluationOperations,
  executionOperations,
  type RuntimeInfo,
  type StalledJob,
} from '@stateeval/contracts'
import { createClient } from '@stateeval/client'
import { readAuthorization } from './credential.ts'

/** The languages of execution; null while it does not answer. */
export async function fetchRuntime(url: string | undefined): Promise<RuntimeInfo | null> {
  if (url === undefined) return null
  const client = createClient(executionOperations, { baseUrl: url, headers: readAuthorization() })
  return client.getRuntime().catch(() => null)
}

/**
 * Jobs that wait, as evaluation reports them; none while it does not answer, or to whoever is no operator.
 */
export async function fetchStalled(url: string | undefined): Promise<StalledJob[]> {
  if (url === undefined) return []
  const client = createClient(evaluationOperations, { baseUrl: url, headers: readAuthorization() })
  return client.getInstallation().then(
    ({ stalled }) => stalled,
    () => [],
  )
}
