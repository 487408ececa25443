import type { ItemNeed } from '@stateeval/flows'
import type { MongoStore, PendingCleanup, RevisedDocuments } from '@stateeval/service-kit'
import type { WorkflowEngine } from '@stateeval/workflow'
import type { ChangeFeed } from './changes.ts'
import type { JobOwner } from './owner.ts'
import type { ChangeAnnouncer, OwnerStore } from './owners.ts'
import type { WaitWatch } from './waits.ts'

/** What the handlers of jobs may use. */
export interface JobsContext {
  owners: OwnerStore
  /** Owners that have not ended: what the sweep looks at. */
  active: RevisedDocuments<object>
  /** Leads the items of builds and evaluations. */
  engine: WorkflowEngine<JobOwner, ItemNeed>
  /** Waits of running builds and evaluations. */
  waits: WaitWatch
  /** Tells readers what happens to evaluations. */
  changes: ChangeFeed
  /** Tells webhooks. */
  announcer: ChangeAnnouncer
  mongo: MongoStore
  /** Removals, and artifacts that may be unused. */
  tidy: PendingCleanup
}
