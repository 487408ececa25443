/** The session that the browser's tab keeps. */

export interface SignedIn {
  key: string
  project: string
  subject: string
}
export interface BrowserSession {
  keys: readonly SignedIn[]
  /** The project whose key is in use; null: no key is sent. */
  project: string | null
}
export const nobody: BrowserSession = { keys: [], project: null }

const place = 'stateeval.session'

export function readStoredSession(): BrowserSession {
  try {
    return (JSON.parse(sessionStorage.getItem(place) ?? 'null') as BrowserSession | null) ?? nobody
  } catch {
    return nobody
  }
}
export const storeSession = (session: BrowserSession): void =>
  sessionStorage.setItem(place, JSON.stringify(session))

export const findKeyInUse = ({ keys, project }: BrowserSession): string | undefined =>
  keys.find((one) => one.project === project)?.key

export const readStoredKey = (): string | undefined => findKeyInUse(readStoredSession())
