/**
 * The session: the keys entered in this tab, and the current one. A key belongs to one project, so changing
 * the project means changing the key. Only the tab keeps keys, and loses them when it closes.
 */
import { useSyncExternalStore } from 'react'
import { nobody, type Session, type SignedIn, storedSession, storeSession } from './stored-session.ts'

export { keyInUse, type SignedIn } from './stored-session.ts'

let session = storedSession()
const watchers = new Set<() => void>()

function change(next: Session): void {
  session = next
  storeSession(next)
  for (const tell of watchers) tell()
}

export const currentSession = (): Session => session
export const signIn = (one: SignedIn): void =>
  change({
    keys: [...session.keys.filter(({ project }) => project !== one.project), one],
    project: one.project,
  })
export const useProject = (project: string): void => change({ ...session, project })
export const signOut = (): void => change(nobody)

export const useSession = (): Session =>
  useSyncExternalStore((tell) => {
    watchers.add(tell)
    return () => watchers.delete(tell)
  }, currentSession)
