/** Sign-in at the installation's OpenID provider: the authorization code flow with PKCE. */
import type { SignedIn } from './stored-session.ts'

interface ProviderOffer {
  issuer: string
  authorizationEndpoint: string
  parameters: Record<string, string>
}
/** Data that the tab keeps while the reader is at the provider. */
interface PendingSignIn {
  state: string
  verifier: string
  issuer: string
  /** The page that the reader wanted. */
  back: string
}
const place = 'stateeval.sign-in'
const getRedirectUri = () => `${location.origin}/sign-in`

/** Read at once: the router rewrites the address. */
const arrived = new URLSearchParams(location.pathname === '/sign-in' ? location.search : '')

async function fetchJson<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(path, init)
  const body = (await response.json()) as T & { detail?: string }
  if (!response.ok) throw new Error(body.detail ?? `HTTP ${response.status}`)
  return body
}

/** The installation's provider; null if it has none. */
export const signInOffer = (): Promise<ProviderOffer | null> => fetchJson('/sign-in/provider')

const encodeBase64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
const drawVerifier = () => encodeBase64Url(crypto.getRandomValues(new Uint8Array(32)))

/** Sends the browser to the provider. */
export async function openProvider(
  { issuer, authorizationEndpoint, parameters }: ProviderOffer,
  back: string,
) {
  // Browsers compute hashes on pages from HTTPS or from this machine only.
  if (!globalThis.isSecureContext)
    throw new Error('Sign-in at a provider needs HTTPS. Open the dashboard over HTTPS, or enter a key.')
  const url = URL.parse(authorizationEndpoint)
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error('The provider has no valid address.')
  const [state, verifier] = [drawVerifier(), drawVerifier()]
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  sessionStorage.setItem(place, JSON.stringify({ state, verifier, issuer, back } satisfies PendingSignIn))
  const all = {
    ...parameters,
    redirect_uri: getRedirectUri(),
    state,
    code_challenge: encodeBase64Url(new Uint8Array(hash)),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value)
  location.assign(url)
}

/** Tells whether the provider has just sent the browser back. */
export const hasArrived = (): boolean => arrived.has('state')

/** Completes the sign-in; can be called once. */
export async function completeSignIn(): Promise<{ signedIn: SignedIn; back: string }> {
  const [state, code, issuer] = ['state', 'code', 'iss'].map((name) => arrived.get(name))
  const reason = arrived.get('error_description') ?? arrived.get('error')
  for (const name of [...arrived.keys()]) arrived.delete(name)
  const pending = JSON.parse(sessionStorage.getItem(place) ?? 'null') as PendingSignIn | null
  sessionStorage.removeItem(place)
  // Somebody else's sign-in, or one of another tab.
  if (!pending || pending.state !== state || (issuer && issuer !== pending.issuer))
    throw new Error('This sign-in did not begin in this tab. Sign in again.')
  if (!code)
    throw new Error(`The provider rejected the sign-in: ${reason ?? 'no reason given'}. Sign in again.`)
  const signedIn = await fetchJson<SignedIn>('/sign-in/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, verifier: pending.verifier, redirectUri: getRedirectUri() }),
  })
  return { signedIn, back: pending.back }
}
