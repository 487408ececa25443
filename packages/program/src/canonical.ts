/** Canonical JSON (RFC 8785) and content addresses: the same value has the same bytes and the same id everywhere. */
import { hash } from 'node:crypto'
import type { Program } from '@stateeval/contracts'
import canonicalize from 'canonicalize'

/** The canonical text of a JSON value: sorted keys, no white space. Throws on what is no JSON value. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('not a JSON value')
  return text
}

export const sha256 = (data: string | Uint8Array) => hash('sha256', data)

/** The content address of a JSON value. */
export const contentId = (value: unknown) => sha256(canonicalJson(value))

/** Gives a program its id: the SHA-256 of its canonical form without the id. */
export function withId(program: Omit<Program, 'id'>): Program {
  const { id: _, ...rest } = program as Program
  return { ...rest, id: contentId(rest) }
}
