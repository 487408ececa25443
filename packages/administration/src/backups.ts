/** Backups of projects: read page by page, and restored. */
import type { BackupPage, CollectionName, RestoreResult } from '@stateeval/contracts'
import { LRUCache } from 'lru-cache'
import { type BackupParts, listBackupCollections, readDocumentPage } from './backup.ts'
import { putBack, type RestoreParts } from './restore.ts'

export interface ProjectBackups {
  /** The collections of a backup, with the number of documents that the project has in each. */
  list(project: string): Promise<{ name: CollectionName; documents: number }[]>
  /** A page of a collection. */
  read(project: string, name: CollectionName, cursor: string | undefined): Promise<BackupPage>
  /** Restores documents, in their order. Throws a problem that names the first one at fault. */
  restore(project: string, name: CollectionName, lines: readonly string[]): Promise<RestoreResult>
}

/** A backup that takes longer between two pages looks again which artifacts belong to it. */
const backupMs = 600_000

export function openBackups(context: Omit<BackupParts, 'backedUpArtifacts'> & RestoreParts): ProjectBackups {
  const parts = {
    ...context,
    backedUpArtifacts: new LRUCache<string, Promise<ReadonlySet<string>>>({ max: 16, ttl: backupMs }),
  }
  return {
    list: (project) => listBackupCollections(parts, project),
    read: (project, name, cursor) => readDocumentPage(parts, project, name, cursor),
    restore: (project, name, lines) => putBack(parts, project, name, lines),
  }
}
