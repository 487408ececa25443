import { computeContentId, type Program } from '@stateeval/contracts'

/** Gives a program its id: the SHA-256 of its canonical form without the id and the second worlds. */
export function withId(program: Omit<Program, 'id'>): Program {
  const { id: _, secondWorlds, ...rest } = program as Program
  return { ...rest, id: computeContentId(rest), ...(secondWorlds && { secondWorlds }) }
}
