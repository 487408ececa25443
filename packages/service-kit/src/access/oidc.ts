/**
 * Bearer tokens of an OpenID provider: checks signature, issuer, audience and time; roles and project come
 * from claims.
 */
import { isProjectId, isRecord, ProblemError } from '@stateeval/contracts'
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import { getErrorText } from '../errors.ts'
import type { ServiceLog } from '../log.ts'
import type { CallerPrincipal } from './principal.ts'
import { type OidcConfig, resolveRoleScope } from './settings.ts'

/** The caller of a token; null if it is not valid here, with the reason in the log. */
export type VerifyToken = (token: string) => Promise<CallerPrincipal | null>

interface OidcTools {
  log: ServiceLog
  now: () => Date
  /** Keys that are not known are looked for again after this time at the earliest, in milliseconds. */
  cooldownMs?: number
}
/**
 * Keys are fetched again after this time, so that one that the issuer withdrew is not believed for longer.
 */
const believedForMs = 600_000
const patienceMs = 5000

export function createOidcVerifier(
  config: OidcConfig,
  { log, now, cooldownMs = 5000 }: OidcTools,
): VerifyToken {
  let discovery: Promise<ReturnType<typeof createRemoteJWKSet>> | undefined
  const open = async () =>
    createRemoteJWKSet(new URL(config.jwksUrl ?? (await fetchJwksUri(config.issuer))), {
      cooldownDuration: cooldownMs,
      cacheMaxAge: believedForMs,
      timeoutDuration: patienceMs,
    })
  const keys = () => {
    discovery ??= open()
    discovery.catch(() => (discovery = undefined))
    return discovery
  }
  const refuse = (reason: string) => {
    log.info({ reason }, 'a token was refused')
    return null
  }
  return async (token) => {
    let claims: JWTPayload
    try {
      const verified = await jwtVerify(token, await keys(), {
        issuer: config.issuer,
        audience: config.audience,
        algorithms: [...config.algorithms],
        clockTolerance: config.clockSkewSeconds,
        requiredClaims: ['exp', 'sub'],
        currentDate: now(),
      })
      claims = verified.payload
    } catch (error) {
      if (isOfToken(error)) return refuse(getErrorText(error))
      log.warn({ reason: getErrorText(error) }, 'the keys of the issuer are unavailable')
      throw new ProblemError('unavailable', 'the token issuer cannot be reached; try again in a moment')
    }
    const project = readClaim(claims, config.projectClaim) ?? config.defaultProject
    if (!isProjectId(project)) return refuse(`the claim ${config.projectClaim} does not name a project`)
    const scopes = resolveRoleScope(listClaimWords(readClaim(claims, config.roleClaim)), config.roles)
    return { subject: `oidc:${claims.sub}`, project, scopes, by: 'token' }
  }
}

/** Tells whether the token is at fault, and not the issuer's server. */
const isOfToken = (error: unknown) =>
  error instanceof errors.JWTClaimValidationFailed ||
  error instanceof errors.JWTExpired ||
  error instanceof errors.JWTInvalid ||
  error instanceof errors.JWSInvalid ||
  error instanceof errors.JWSSignatureVerificationFailed ||
  error instanceof errors.JOSEAlgNotAllowed ||
  error instanceof errors.JOSENotSupported ||
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys

/** The configuration document of an OpenID provider. Rejects if it is unreadable, or of another issuer. */
export async function openIdConfiguration(issuer: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    redirect: 'error',
    signal: AbortSignal.timeout(patienceMs),
  })
  const document: unknown = response.ok ? await response.json() : null
  if (!isRecord(document) || document['issuer'] !== issuer)
    throw new Error(`${issuer} has an openid-configuration with another issuer (${response.status})`)
  return document
}

async function fetchJwksUri(issuer: string): Promise<string> {
  const { jwks_uri: uri } = await openIdConfiguration(issuer)
  if (typeof uri !== 'string') throw new Error(`the openid-configuration of ${issuer} has no jwks_uri`)
  return uri
}

/**
 * A claim by its name, or by a path of members. A name that has dots itself, such as an address, is looked up
 * whole first.
 */
function readClaim(claims: unknown, path: string): unknown {
  if (!isRecord(claims)) return undefined
  if (Object.hasOwn(claims, path)) return claims[path]
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      claims,
    )
}

const listClaimWords = (claim: unknown): string[] =>
  typeof claim === 'string'
    ? claim.split(' ')
    : Array.isArray(claim)
      ? claim.filter((word) => typeof word === 'string')
      : []
