/** How the documents of each collection of a backup are checked and kept. */
import type { CollectionName } from '@stateeval/contracts'
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

export type DocumentChecks = CaseChecks & ItemChecks & OwnerChecks & ResourceChecks

interface StoredCollection {
  /** `fixed` documents are written once, `revised` ones change. */
  kept: 'fixed' | 'revised' | 'answer'
  /** The value to store. Throws a fault that names the field. */
  check: (context: DocumentChecks, id: string, value: unknown) => Promise<unknown>
  /** Documents from this id on are no part of a backup. */
  until?: string
}

/** The name of a collection of this service within it. */
export const getShortName = (name: CollectionName) => name.slice('evaluation.'.length)

export const storedCollections: Readonly<Record<Exclude<CollectionName, 'artifacts'>, StoredCollection>> = {
  answers: { kept: 'answer', check: checkAnswer },
  'evaluation.models': { kept: 'revised', check: checkModel },
  'evaluation.webhooks': { kept: 'revised', check: checkWebhook },
  'evaluation.recordings': { kept: 'fixed', check: checkRecording },
  'evaluation.streams': { kept: 'revised', check: checkStream },
  'evaluation.stream-digests': { kept: 'fixed', check: checkBlockDigest },
  'evaluation.benchmarks': { kept: 'revised', check: checkBenchmark },
  // Blocks of streams (str_…) are made again from their seeds.
  'evaluation.cases': { kept: 'fixed', check: checkCase, until: 'str_' },
  'evaluation.evaluations': { kept: 'revised', check: checkEvaluation },
  'evaluation.records': { kept: 'fixed', check: checkRecord },
  'evaluation.results': { kept: 'fixed', check: checkResult },
  'evaluation.reviews': { kept: 'fixed', check: checkDecision },
  'evaluation.comparisons': { kept: 'revised', check: checkComparison },
}
