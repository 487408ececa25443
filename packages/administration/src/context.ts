import type { OwnerStore, WaitWatch } from '@stateeval/jobs'
import type { ServicePlatform } from '@stateeval/service-kit'
import type { ProjectBackups } from './backups.ts'
import type { LetterNames, LetterRedriver } from './dead-letters.ts'

/** What the handlers of administration may use. */
export interface AdministrationContext extends Pick<
  ServicePlatform,
  'access' | 'audit' | 'bus' | 'log' | 'mongo' | 'now' | 'quota'
> {
  backups: ProjectBackups
  letters: LetterNames
  owners: OwnerStore
  engine: LetterRedriver['engine']
  waits: Pick<WaitWatch, 'stalled'>
}
