/** The explicit list of APIs; adding one is a file here, its phrase in say/ and a line. */
import type { ScenarioOperation } from '@stateeval/program'
import type { SessionWorld } from '../state.ts'
import { addSession } from './add-session.ts'
import { deleteSession } from './delete-session.ts'
import { fetchSessions } from './fetch-sessions.ts'
import { getSession } from './get-session.ts'
import { listSessions } from './list-sessions.ts'
import { querySessions } from './query-sessions.ts'
import { updateSession } from './update-session.ts'

export const operations: readonly ScenarioOperation<SessionWorld>[] = [
  listSessions,
  addSession,
  querySessions,
  updateSession,
  deleteSession,
  getSession,
  fetchSessions,
]
