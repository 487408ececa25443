/** Callers, their rights, and the project of everything. */
import type { ServiceLog } from '../log.ts'
import type { MongoStore } from '../mongo.ts'
import { type RequestAuthenticator, createAuthenticator } from './authenticate.ts'
import { type KeyStore, openKeyStore } from './keys.ts'
import { type ProjectStore, openProjectStore } from './projects.ts'
import type { AccessConfig } from './settings.ts'

export type { RequestAuthenticator } from './authenticate.ts'
export type { KeyStore, KeyView, StoredKey } from './keys.ts'
export { openIdConfiguration } from './oidc.ts'
export { anonymous, isOperator, type CallerPrincipal } from './principal.ts'
export {
  memoizeByProject,
  getCurrentProject,
  separateByProject,
  runInProject,
  qualifyName,
  keepProject,
  requireProject,
} from './project.ts'
export type { ProjectStore, StoredProject } from './projects.ts'
export {
  type AccessConfig,
  readAccessConfig,
  accessSettings,
  checkOpen,
  isTrustworthyUrl,
  openSetting,
} from './settings.ts'

export interface AccessControl {
  keys: KeyStore
  projects: ProjectStore
  authenticate: RequestAuthenticator
}

interface AccessParts {
  mongo: MongoStore
  log: ServiceLog
  now: () => Date
}

export async function openAccess(
  config: AccessConfig,
  { mongo, log, now }: AccessParts,
): Promise<AccessControl> {
  const keys = openKeyStore(mongo, now)
  const projects = openProjectStore(mongo)
  // Loaded where it is configured: a start without it is faster.
  const verifyToken = config.oidc && (await import('./oidc.ts')).createOidcVerifier(config.oidc, { log, now })
  if (config.mode === 'open') log.warn('anyone who can reach this port has all rights: STATEEVAL_ACCESS=open')
  return { keys, projects, authenticate: createAuthenticator(config, { keys, projects, verifyToken }) }
}
