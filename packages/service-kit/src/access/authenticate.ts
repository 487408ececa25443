/**
 * Identifies the caller of a request: by an API key, the environment's admin key, a token, or without
 * credentials if allowed.
 */
import { defaultProject, ProblemError, sha256 } from '@stateeval/contracts'
import type { FastifyRequest } from 'fastify'
import { isEqual, type KeyStore, hasKeyForm } from './keys.ts'
import type { VerifyToken } from './oidc.ts'
import { anonymous, type CallerPrincipal } from './principal.ts'
import type { ProjectStore } from './projects.ts'
import { type AccessConfig, isLoopback } from './settings.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; null before an operation has found out, and where it refused. */
    principal: CallerPrincipal | null
  }
}

/** The fields of a request that identify its caller. */
type CallerRequest = Pick<FastifyRequest, 'headers' | 'method'>
/** Throws a problem `unauthenticated` for unknown callers. */
export type RequestAuthenticator = (request: CallerRequest) => Promise<CallerPrincipal>

interface AccessTools {
  keys: Pick<KeyStore, 'verify'>
  projects: Pick<ProjectStore, 'isOpen'>
  /** Verifies tokens, where an issuer is configured. */
  verifyToken: VerifyToken | undefined
}

export function createAuthenticator(
  { mode, adminKey }: AccessConfig,
  { keys, projects, verifyToken }: AccessTools,
): RequestAuthenticator {
  const adminHash = adminKey === undefined ? undefined : sha256(adminKey)

  async function principalOf(credential: string): Promise<CallerPrincipal | null> {
    if (adminHash !== undefined && isEqual(adminHash, sha256(credential)))
      return { subject: 'admin-key', project: defaultProject, scopes: ['admin'], by: 'admin key' }
    if (!hasKeyForm(credential)) return (await verifyToken?.(credential)) ?? null
    const key = await keys.verify(credential)
    return key && { subject: `key:${key._id}`, project: key.project, scopes: key.scopes, by: 'key' }
  }

  return async ({ headers, method }) => {
    const { authorization, host, origin } = headers
    if (authorization === undefined) {
      if (mode === 'required') throw createAccessRefusal()
      // A page in a browser may reach loopback by its own host name, which it points there.
      if (mode === 'loopback' && !isOwnName(host))
        throw new ProblemError(
          'forbidden',
          'without a key, the service answers on localhost and 127.0.0.1 only; to use other names, set STATEEVAL_ADMIN_KEY, or STATEEVAL_ACCESS=open',
          'Host',
        )
      // A page of another site may send a request without a body, though it cannot read the response.
      const isForeign = headers['sec-fetch-site'] === 'cross-site' || !isOwnOrigin(origin)
      if (mode === 'loopback' && isForeign && method !== 'GET' && method !== 'HEAD')
        throw new ProblemError(
          'forbidden',
          'without a key, the service changes nothing for pages of other sites; to serve them, set STATEEVAL_ADMIN_KEY and send a key',
          'Origin',
        )
      return anonymous
    }
    const [, credential] = /^Bearer +([!-~]+)$/i.exec(authorization) ?? []
    const principal = credential === undefined ? null : await principalOf(credential)
    if (!principal || !(await projects.isOpen(principal.project))) throw createAccessRefusal()
    return principal
  }
}

function isOwnOrigin(origin: string | undefined): boolean {
  if (origin === undefined) return true
  return URL.canParse(origin) && isLoopback(new URL(origin).hostname)
}
const isOwnName = (host: string | undefined) => host === undefined || isLoopback(host.replace(/:\d+$/, ''))

/** The same for every fault of a key or token: it says nothing about those there are. */
const createAccessRefusal = () =>
  new ProblemError(
    'unauthenticated',
    'send a valid API key or token: Authorization: Bearer <key>; `npx stateeval keys create` makes a key',
    'Authorization',
  )
