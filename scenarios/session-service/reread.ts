/** Reads a session again that a call returned. */
import type { Call, JsonValue } from '@stateeval/contracts'
import { createLiteral } from '@stateeval/program'

export function rereadSession(value: JsonValue): Call | null {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null
  const { source, type, id } = value
  if (typeof source !== 'string' || typeof type !== 'string' || typeof id !== 'string') return null
  return {
    kind: 'http',
    api: 'getSession',
    method: 'GET',
    path: '/api/sessions/{source}/{type}/{id}',
    args: { source: createLiteral(source), type: createLiteral(type), id: createLiteral(id) },
  }
}
