/** What the running execution service can run. */
import { executionOperations } from '@stateeval/contracts'
import { createClient } from '@stateeval/client'
import { authorization } from './credential.ts'
import type { Machine } from './machine.ts'

/** null while it doesn’t answer. */
export async function runtimeAt(url: string | undefined): Promise<Machine | null> {
  if (url === undefined) return null
  const client = createClient(executionOperations, { baseUrl: url, headers: authorization() })
  return client.getRuntime().catch(() => null)
}
