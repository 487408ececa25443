/** The settings of access, and whether a service may listen on its address. */
import { hasScope, isProjectId, type Scope, scopes } from '@stateeval/contracts'
import { defineSettings, SettingsError, type SettingValues } from '../settings.ts'

export const accessSettings = defineSettings({
  STATEEVAL_ACCESS: {
    type: 'string',
    optional: true,
    choices: ['required', 'open'],
    doc: 'Whether requests need an API key or a token: required, or open. Default: open on loopback; required with an admin key or an OIDC issuer',
  },
  STATEEVAL_ADMIN_KEY: {
    type: 'string',
    optional: true,
    secret: true,
    pattern: /^[!-~]{32,512}$/,
    doc: 'A key with all rights, to create the first API keys; at least 32 random characters',
  },
  STATEEVAL_OIDC_ISSUER: {
    type: 'url',
    optional: true,
    doc: 'Issuer of bearer tokens (JWT) that are accepted besides API keys; https, or http on loopback',
  },
  STATEEVAL_OIDC_AUDIENCE: {
    type: 'string',
    optional: true,
    doc: 'Audience that a token’s aud must contain; required with an issuer',
  },
  STATEEVAL_OIDC_JWKS_URL: {
    type: 'url',
    optional: true,
    doc: 'URL of the issuer’s public keys. Default: from its /.well-known/openid-configuration',
  },
  STATEEVAL_OIDC_ALGORITHMS: {
    type: 'list',
    default: ['RS256', 'PS256', 'ES256', 'EdDSA'],
    doc: 'Allowed signature algorithms of tokens; public-key algorithms only',
  },
  STATEEVAL_OIDC_CLOCK_SKEW_SECONDS: {
    type: 'integer',
    default: 30,
    min: 0,
    max: 600,
    doc: 'Allowed difference to the issuer’s clock, in seconds',
  },
  STATEEVAL_OIDC_ROLE_CLAIM: {
    type: 'string',
    default: 'roles',
    doc: 'Claim with the caller’s roles, as a list or words separated by spaces. Dots separate the members of a path, such as realm_access.roles',
  },
  STATEEVAL_OIDC_ROLES: {
    type: 'list',
    default: ['stateeval-read=read', 'stateeval-run=run', 'stateeval-admin=admin'],
    doc: 'The scope of each role',
  },
  STATEEVAL_OIDC_PROJECT_CLAIM: {
    type: 'string',
    default: 'stateeval_project',
    doc: 'Claim with the caller’s project, as a path like that of the roles',
  },
  STATEEVAL_OIDC_PROJECT: {
    type: 'string',
    optional: true,
    doc: 'Project of tokens without that claim. Default: such tokens are rejected',
  },
})

export interface OidcConfig {
  readonly issuer: string
  readonly audience: string
  readonly jwksUrl: string | undefined
  readonly algorithms: readonly string[]
  readonly clockSkewSeconds: number
  readonly roleClaim: string
  readonly roles: Readonly<Record<string, Scope>>
  readonly projectClaim: string
  readonly defaultProject: string | undefined
}
export interface AccessConfig {
  /**
   * `loopback`: nobody is asked, and only requests to this machine's own names are answered. `open`: nobody
   * is asked.
   */
  readonly mode: 'loopback' | 'open' | 'required'
  readonly adminKey: string | undefined
  readonly oidc: OidcConfig | undefined
}

/** Tells whether a listener on this host is reachable only from this machine. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host)

/** The setting of servers without authentication: backends of scenarios that run alone. */
export const openSetting = {
  type: 'string',
  optional: true,
  choices: ['open'],
  doc: 'open: allow everyone who can reach the port. Default: HOST must be an address of this machine only',
} as const

/** Throws a SettingsError if others could reach a server without keys and no setting allows it. */
export function checkOpen(host: string, access: string | undefined): void {
  if (isLoopback(host) || access === 'open') return
  throw new SettingsError([
    `HOST=${host} is reachable from other machines, and this server requires no key. Set STATEEVAL_ACCESS=open to allow everyone, or HOST=127.0.0.1`,
  ])
}

/**
 * Throws a SettingsError that names each fault, and refuses a service that would be open to others without
 * a setting that allows it.
 */
export function readAccessConfig(host: string, values: SettingValues<typeof accessSettings>): AccessConfig {
  const { STATEEVAL_ACCESS: mode, STATEEVAL_ADMIN_KEY: adminKey } = values
  const oidc = values.STATEEVAL_OIDC_ISSUER === undefined ? undefined : readOidcConfig(values)
  const hasCallers = adminKey !== undefined || oidc !== undefined
  if (mode === 'open' && hasCallers)
    throw new SettingsError([
      'STATEEVAL_ACCESS=open allows everyone, but STATEEVAL_ADMIN_KEY or STATEEVAL_OIDC_ISSUER restricts access: unset it, or set STATEEVAL_ACCESS=required',
    ])
  if (mode !== undefined) return { mode: mode as 'open' | 'required', adminKey, oidc }
  if (hasCallers) return { mode: 'required', adminKey, oidc }
  if (isLoopback(host)) return { mode: 'loopback', adminKey, oidc }
  throw new SettingsError([
    `HOST=${host} is reachable from other machines, and no access control is configured. Set STATEEVAL_ADMIN_KEY (32 random characters or more) or STATEEVAL_OIDC_ISSUER; STATEEVAL_ACCESS=required where API keys exist already; or STATEEVAL_ACCESS=open to allow everyone`,
  ])
}

const publicKeyAlgorithms = /^(RS|PS|ES)(256|384|512)$|^EdDSA$|^Ed25519$/

function readOidcConfig(values: SettingValues<typeof accessSettings>): OidcConfig {
  const faults: string[] = []
  const { STATEEVAL_OIDC_ISSUER: issuer = '', STATEEVAL_OIDC_JWKS_URL: jwksUrl } = values
  for (const [name, url] of [
    ['STATEEVAL_OIDC_ISSUER', issuer],
    ['STATEEVAL_OIDC_JWKS_URL', jwksUrl],
  ] as const)
    if (url !== undefined && !isTrustworthyUrl(url)) faults.push(`${name}=${url}: set an https address`)
  const audience = values.STATEEVAL_OIDC_AUDIENCE
  if (audience === undefined)
    faults.push(
      'STATEEVAL_OIDC_AUDIENCE is not set: an issuer also signs tokens for other applications; set this installation’s audience',
    )
  for (const algorithm of values.STATEEVAL_OIDC_ALGORITHMS)
    if (!publicKeyAlgorithms.test(algorithm))
      faults.push(
        `STATEEVAL_OIDC_ALGORITHMS: ${algorithm} is not a public-key algorithm; use RS256, PS256, ES256 or EdDSA`,
      )
  const roles: Record<string, Scope> = {}
  for (const entry of values.STATEEVAL_OIDC_ROLES) {
    const [, role, scope] = /^([^=]+)=(.+)$/.exec(entry) ?? []
    if (role === undefined || !scopes.includes(scope as Scope))
      faults.push(`STATEEVAL_OIDC_ROLES: ${entry}: set <role>=read, <role>=run or <role>=admin`)
    else roles[role] = scope as Scope
  }
  const project = values.STATEEVAL_OIDC_PROJECT
  if (project !== undefined && !isProjectId(project))
    faults.push(
      `STATEEVAL_OIDC_PROJECT=${String(project)}: set the id of a project: lower-case letters, digits, hyphens`,
    )
  if (faults.length > 0) throw new SettingsError(faults)
  return {
    issuer,
    audience: audience as string,
    jwksUrl,
    algorithms: values.STATEEVAL_OIDC_ALGORITHMS,
    clockSkewSeconds: values.STATEEVAL_OIDC_CLOCK_SKEW_SECONDS,
    roleClaim: values.STATEEVAL_OIDC_ROLE_CLAIM,
    roles,
    projectClaim: values.STATEEVAL_OIDC_PROJECT_CLAIM,
    defaultProject: project,
  }
}

/** Keys that are fetched in the clear may be anybody's. */
export function isTrustworthyUrl(url: string): boolean {
  const { protocol, hostname } = URL.parse(url) ?? {}
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname ?? ''))
}

/** The highest scope that roles grant; it includes the others. */
export function resolveRoleScope(roles: readonly string[], table: Readonly<Record<string, Scope>>): Scope[] {
  const roleScopes = roles.flatMap((role) => (Object.hasOwn(table, role) ? [table[role] as Scope] : []))
  return scopes.filter((scope) => hasScope(roleScopes, scope)).slice(-1)
}
