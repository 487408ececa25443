/** The collections of this service. */
import type { ComparisonResource, JobPayload } from '@stateeval/contracts'
import { type DocumentStore, type FixedDocuments, type RevisedDocuments } from '@stateeval/service-kit'
import type { StoredProbe } from './asking/probes.ts'
import type { StoredModel } from './choices/models.ts'
import type { StoredBaselineCheck } from '@stateeval/sets'
import type { EpisodeDocuments } from '@stateeval/environment'
import type { ItemEnd } from '@stateeval/jobs'
import type { StoredRecording } from './recordings/recordings.ts'
import type { StoredDecision } from './reviews/reviewable.ts'
import type { StoredChunk } from './samples/chunks.ts'
import type { StoredWhole } from './samples/whole.ts'
import type { StoredWorld } from './worlds.ts'

export interface EvaluationCollections extends Pick<EpisodeDocuments, 'endedOwners'> {
  /** Owners that have not ended: what the sweep looks at. */
  active: RevisedDocuments<object>
  /** How items ended. */
  results: FixedDocuments<ItemEnd>
  /** Samples as they are listed and searched, in chunks. */
  sampleChunks: FixedDocuments<StoredChunk>
  /** The same of ended evaluations, in one piece each. */
  sampleWholes: FixedDocuments<StoredWhole>
  /** Records that allow scoring again, by the ids of their items. */
  records: FixedDocuments<JobPayload>
  /** Stages whose items have all ended, by owner and stage: one replica continues. */
  ends: FixedDocuments<true>
  /** Marks of questions that were sent out, by step and attempt. */
  asks: FixedDocuments<true>
  /** The stored probes. */
  probes: RevisedDocuments<StoredProbe>
  /** Models that were named over HTTP. */
  models: RevisedDocuments<StoredModel>
  recordings: FixedDocuments<StoredRecording>
  /** Decisions of people. */
  reviews: FixedDocuments<StoredDecision>
  baselineChecks: FixedDocuments<StoredBaselineCheck>
  comparisons: RevisedDocuments<ComparisonResource>
  /** World models, by the hash of their digest. */
  worlds: RevisedDocuments<StoredWorld>
}

export const openCollections = (store: DocumentStore): EvaluationCollections => ({
  active: store.revised('active'),
  results: store.fixed('results'),
  sampleChunks: store.fixed('sample-chunks'),
  sampleWholes: store.fixed('sample-wholes'),
  records: store.fixed('records'),
  ends: store.fixed('ends'),
  endedOwners: store.fixed('ended-owners'),
  asks: store.fixed('asks'),
  probes: store.revised('model-probes'),
  models: store.revised('models'),
  recordings: store.fixed('recordings'),
  reviews: store.fixed('reviews'),
  baselineChecks: store.fixed('baseline-checks'),
  comparisons: store.revised('comparisons'),
  worlds: store.revised('worlds'),
})
