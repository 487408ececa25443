import { computeContentId, type Program } from '@stateeval/contracts'
import { isNested } from './blocks.ts'

/**
 * Gives a program its schema version and its id: the SHA-256 of its canonical form without the id and the
 * second worlds.
 */
export function withId(program: Omit<Program, 'id'>): Program {
  const { id: _, secondWorlds, ...rest } = program as Program
  const versioned = { ...rest, schema: isNested(program as Program) ? (2 as const) : (1 as const) }
  return { ...versioned, id: computeContentId(versioned), ...(secondWorlds && { secondWorlds }) }
}
