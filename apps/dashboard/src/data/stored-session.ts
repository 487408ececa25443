/** The session that the browser's tab keeps. */

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
export const nobody: Session = { keys: [], project: null }

const place = 'stateeval.session'

export function storedSession(): Session {
  try {
    return (JSON.parse(sessionStorage.getItem(place) ?? 'null') as Session | null) ?? nobody
  } catch {
    return nobody
  }
}
export const storeSession = (session: Session): void => sessionStorage.setItem(place, JSON.stringify(session))

export const keyInUse = ({ keys, project }: Session): string | undefined =>
  keys.find((one) => one.project === project)?.key

export const storedKey = (): string | undefined => keyInUse(storedSession())
