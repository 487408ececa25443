/** The languages of the running execution service. */
import { executionOperations, type RuntimeInfo } from '@stateeval/contracts'
import { createClient } from '@stateeval/client'
import { authorization } from './credential.ts'

/** Returns null while it does not answer. */
export async function runtimeAt(url: string | undefined): Promise<RuntimeInfo | null> {
  if (url === undefined) return null
  const client = createClient(executionOperations, { baseUrl: url, headers: authorization() })
  return client.getRuntime().catch(() => null)
}
