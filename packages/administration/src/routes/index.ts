/** Handlers of keys, projects, limits, the audit log, backups, dead letters, and of the installation. */
import { checkInstallation } from './check-installation.ts'
import * as deadLetters from './dead-letters.ts'
import * as keys from './keys.ts'
import * as limits from './limits.ts'
import * as operate from './operate.ts'
import * as projects from './projects.ts'

export const administrationHandlers = {
  ...keys,
  ...projects,
  ...limits,
  ...operate,
  ...deadLetters,
  checkInstallation,
}
