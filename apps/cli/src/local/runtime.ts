/** What the running execution service can run. */
import { executionOperations, type RuntimeInfo } from '@stateeval/contracts'
import { createClient } from '@stateeval/client'
import { authorization } from './credential.ts'

/** null while it doesn’t answer. */
export async function runtimeAt(url: string | undefined): Promise<RuntimeInfo | null> {
  if (url === undefined) return null
  const client = createClient(executionOperations, { baseUrl: url, headers: authorization() })
  return client.getRuntime().catch(() => null)
}
