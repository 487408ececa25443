/** How the documents of each collection of a backup are checked and kept. */
import type { CollectionName } from '@stateeval/contracts'
import type { StoredCollection, StoredCollections } from '@stateeval/administration'
import { type CaseChecks, checkCase } from './cases.ts'
import { checkRecord, checkResult, type ItemChecks } from './items.ts'
import { checkBenchmark, checkEvaluation, type OwnerChecks } from './owners.ts'
import {
  checkAnswer,
  checkBlockDigest,
  checkComparison,
  checkDecision,
  checkModel,
  checkRecording,
  checkStream,
  checkWebhook,
  type ResourceChecks,
} from './resources.ts'
import { checkWorld } from './worlds.ts'

type DocumentChecks = CaseChecks & ItemChecks & OwnerChecks & ResourceChecks

type CheckedCollection = Omit<StoredCollection, 'check'> & {
  check: (context: DocumentChecks, id: string, value: unknown) => Promise<unknown>
}

const collections: Readonly<Record<Exclude<CollectionName, 'artifacts'>, CheckedCollection>> = {
  answers: { kept: 'answer', check: checkAnswer },
  'evaluation.models': { kept: 'revised', check: checkModel },
  'evaluation.webhooks': { kept: 'revised', check: checkWebhook },
  'evaluation.recordings': { kept: 'fixed', check: checkRecording },
  'evaluation.streams': { kept: 'revised', check: checkStream },
  'evaluation.stream-digests': { kept: 'fixed', check: checkBlockDigest },
  'evaluation.worlds': { kept: 'revised', check: checkWorld },
  'evaluation.benchmarks': { kept: 'revised', check: checkBenchmark },
  // Blocks of streams (str_…) are made again from their seeds.
  'evaluation.cases': { kept: 'fixed', check: checkCase, until: 'str_' },
  'evaluation.evaluations': { kept: 'revised', check: checkEvaluation },
  'evaluation.records': { kept: 'fixed', check: checkRecord },
  'evaluation.results': { kept: 'fixed', check: checkResult },
  'evaluation.reviews': { kept: 'fixed', check: checkDecision },
  'evaluation.comparisons': { kept: 'revised', check: checkComparison },
}

/** The collections of a backup, whose documents are checked against what the project has. */
export const checkCollections = (context: DocumentChecks): StoredCollections =>
  Object.fromEntries(
    Object.entries(collections).map(([name, { check, ...how }]) => [
      name,
      { ...how, check: (id: string, value: unknown) => check(context, id, value) },
    ]),
  ) as StoredCollections
