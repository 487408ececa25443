/**
 * The record of a sample: every input from other parties on the way to its candidate, by question. It
 * allows scoring the sample again, by another policy or a newer scorer, without asking anyone.
 */
import { computeContentId, type HostNeed, type Observation } from '@stateeval/contracts'
import type { EpisodeEntry, EntryLog } from './dialogue.ts'
import type { ItemNeed } from './flow.ts'
import type { SampleEffort, PendingNeed, SampleOutcome } from './sample.ts'

/** Observations of reference and mutant on further inputs; they exist only if a mutant passed. */
export interface FurtherRuns {
  reference: Observation[]
  mutant: Observation[]
}

/** The data stored next to a sample's outcome. For a dialogue, its log is in the outcome. */
export interface SampleRecord {
  log?: EntryLog
  further?: FurtherRuns
}

/** A loaded record. */
export interface ReplayRecord {
  entries: readonly EpisodeEntry[]
  further?: FurtherRuns
  effort: Partial<SampleEffort>
}

/**
 * The part of the effort that belongs to the answers, so that a recording of the re-scored evaluation is as
 * complete as that of the first one.
 */
export const selectReplayEffort = ({
  seeds,
  storeKeys,
  cut,
  finish,
  refused,
  unanswered,
}: SampleOutcome): Partial<SampleEffort> => ({
  ...(seeds && { seeds }),
  ...(storeKeys && { storeKeys }),
  ...(cut && { cut }),
  ...(finish !== undefined && { finish }),
  ...(refused && { refused }),
  ...(unanswered && { unanswered }),
})

/**
 * The hash of a need: the same for the same question, whoever answers it, and for the same run, whatever
 * its worlds' seeds are. Sessions are distinguished by their number and by how many calls each has had.
 */
export const computeNeedKey = (need: HostNeed | PendingNeed, itemNeed: ItemNeed): string =>
  computeContentId(describeQuestion(need, itemNeed))

function describeQuestion(need: HostNeed | PendingNeed, itemNeed: ItemNeed): unknown {
  switch (itemNeed.kind) {
    case 'ask': {
      const { model: _model, sample: _sample, ...question } = itemNeed.payload
      return { part: itemNeed.part ?? 'model', transcript: 'transcript' in need && need.transcript, question }
    }
    case 'compare': {
      const { left, right } = itemNeed.payload
      return { left, right }
    }
    case 'execute': {
      const { seeds: _seeds, ...request } = { seeds: undefined, ...itemNeed.payload }
      return { request }
    }
    case 'session':
      return { need, index: itemNeed.payload.kind === 'call' ? itemNeed.payload.index : null }
    default:
      throw new Error(`an episode needs no ${itemNeed.kind}`)
  }
}
