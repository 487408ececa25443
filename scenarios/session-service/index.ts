/**
 * The session service: items with source, type and nested data, whose ids only the service knows; adds that
 * find duplicates, and updates and deletes that change what later calls may do.
 */
import type { Scenario } from '@stateeval/program'
import { compare } from './compare.ts'
import { listSessionConditions } from './conditions.ts'
import { documentations } from './documentation/index.ts'
import { usual } from './documentation/text.ts'
import { listEdits } from './edits.ts'
import { operations } from './operations/index.ts'
import { rereadSession } from './reread.ts'
import { difficulty } from './difficulty.ts'
import { distract } from './distract.ts'
import { start } from './start.ts'
import { type SessionDraft, observeWorld, openWorld, type SessionWorld } from './state.ts'
import { vocabulary } from './say/vocabulary.ts'
import { tools } from './tools.ts'
import { varySessionInput } from './vary.ts'

export const sessionService: Scenario<SessionWorld> = {
  id: 'session-service',
  version: '2',
  title: 'Session service',
  world: 'session-service',
  operations,
  vocabulary,
  start,
  distract,
  difficulty,
  open: (initial) => openWorld(initial as { items: SessionDraft[] }),
  observe: observeWorld,
  edits: listEdits,
  conditions: listSessionConditions,
  vary: (program, rng, wide) => varySessionInput(program, sessionService, rng, wide),
  compare,
  reread: rereadSession,
  tools,
  documentation: (language, optIn = []) => documentations[language].of([...usual, ...optIn]),
}
export default sessionService
