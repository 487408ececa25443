/** The operations of the service, in the order of its contract. */
import type { RouteInstaller } from '../context.ts'
import { addSession } from './add-session.ts'
import { deleteSession } from './delete-session.ts'
import { fetchSessions } from './fetch-sessions.ts'
import { getInfo } from './get-info.ts'
import { getSession } from './get-session.ts'
import { listSessions } from './list-sessions.ts'
import { querySessions } from './query-sessions.ts'
import { updateSession } from './update-session.ts'

export const routes: readonly RouteInstaller[] = [
  listSessions,
  addSession,
  querySessions,
  fetchSessions,
  getSession,
  updateSession,
  deleteSession,
  getInfo,
]
