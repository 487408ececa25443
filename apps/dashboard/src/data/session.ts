/**
 * The session: the keys entered in this tab, and the current one. A key belongs to one project, so changing
 * the project means changing the key. Only the tab keeps keys, and loses them when it closes.
 */
import { useSyncExternalStore } from 'react'
import {
  nobody,
  type BrowserSession,
  type SignedIn,
  readStoredSession,
  storeSession,
} from './stored-session.ts'

export { findKeyInUse, type SignedIn } from './stored-session.ts'

let session = readStoredSession()
const watchers = new Set<() => void>()

function changeSession(next: BrowserSession): void {
  session = next
  storeSession(next)
  for (const tell of watchers) tell()
}

export const getCurrentSession = (): BrowserSession => session
export const signIn = (one: SignedIn): void =>
  changeSession({
    keys: [...session.keys.filter(({ project }) => project !== one.project), one],
    project: one.project,
  })
export const useProject = (project: string): void => changeSession({ ...session, project })
export const signOut = (): void => changeSession(nobody)

export const useSession = (): BrowserSession =>
  useSyncExternalStore((tell) => {
    watchers.add(tell)
    return () => watchers.delete(tell)
  }, getCurrentSession)
