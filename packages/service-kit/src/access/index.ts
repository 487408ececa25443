/** Callers, their rights, and the project of everything. */
import type { Log } from '../log.ts'
import type { MongoStore } from '../mongo.ts'
import { type RequestAuthenticator, authenticator } from './authenticate.ts'
import { type KeyStore, keysIn } from './keys.ts'
import { type ProjectStore, projectsIn } from './projects.ts'
import type { AccessConfig } from './settings.ts'

export type { RequestAuthenticator } from './authenticate.ts'
export type { KeyStore, KeyView, StoredKey } from './keys.ts'
export { openIdConfiguration } from './oidc.ts'
export { anonymous, isOperator, type Principal } from './principal.ts'
export {
  byProject,
  currentProject,
  eachProjects,
  inProject,
  inProjectName,
  keepProject,
  requireProject,
} from './project.ts'
export type { ProjectStore, StoredProject } from './projects.ts'
export {
  type AccessConfig,
  accessConfig,
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
  log: Log
  now: () => Date
}

export async function openAccess(
  config: AccessConfig,
  { mongo, log, now }: AccessParts,
): Promise<AccessControl> {
  const keys = keysIn(mongo, now)
  const projects = projectsIn(mongo)
  // Loaded where it is configured: a start without it is faster.
  const verifyToken = config.oidc && (await import('./oidc.ts')).oidcVerifier(config.oidc, { log, now })
  if (config.mode === 'open') log.warn('anyone who can reach this port has all rights: STATEEVAL_ACCESS=open')
  return { keys, projects, authenticate: authenticator(config, { keys, projects, verifyToken }) }
}
