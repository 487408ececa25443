/**
 * The session: the keys entered in this tab, and the current one. A key belongs to one project, so changing
 * the project means changing the key. Only the tab keeps keys, and loses them when it closes.
 */
import { useSyncExternalStore } from 'react'

export interface SignedIn {
  key: string
  project: string
  subject: string
}
export interface Session {
  keys: readonly SignedIn[]
  /** The project whose key is in use; null: no key is sent. */
  project: string | null
}

const place = 'stateeval.session'
const nobody: Session = { keys: [], project: null }

function stored(): Session {
  try {
    return (JSON.parse(sessionStorage.getItem(place) ?? 'null') as Session | null) ?? nobody
  } catch {
    return nobody
  }
}

let session = stored()
const watchers = new Set<() => void>()

function change(next: Session): void {
  session = next
  sessionStorage.setItem(place, JSON.stringify(next))
  for (const tell of watchers) tell()
}

export const currentSession = (): Session => session
export const keyInUse = ({ keys, project }: Session): string | undefined =>
  keys.find((one) => one.project === project)?.key

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
