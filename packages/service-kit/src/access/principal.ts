/** Callers. */
import { defaultProject, hasScope, type HttpOperation, ProblemError, type Scope } from '@stateeval/contracts'

export interface CallerPrincipal {
  /** Unique and stable, for logs and records: `key:<id>`, `oidc:<subject>`, `admin-key`, `anonymous`. */
  readonly subject: string
  /** The project of everything that the caller sees and makes. */
  readonly project: string
  readonly scopes: readonly Scope[]
  readonly by: 'key' | 'admin key' | 'token' | 'nothing'
}

/** The caller on a laptop's loopback without configuration, and wherever access is explicitly open. */
export const anonymous: CallerPrincipal = Object.freeze({
  subject: 'anonymous',
  project: defaultProject,
  scopes: Object.freeze(['admin'] as const),
  by: 'nothing',
})

/**
 * Operators manage the installation: projects, and keys of any project. They are the administrators of the
 * default project.
 */
export const isOperator = ({ project, scopes }: CallerPrincipal): boolean =>
  project === defaultProject && hasScope(scopes, 'admin')

/**
 * Refuses a caller whose scopes do not include the operation's. The error reveals nothing about resources.
 */
export function checkScope(principal: CallerPrincipal, { scope }: Pick<HttpOperation, 'scope'>): void {
  if (!hasScope(principal.scopes, scope))
    throw new ProblemError(
      'forbidden',
      `this needs the scope ${scope}, and the caller has ${principal.scopes.join(', ') || 'none'}; use a key that has it`,
    )
}
