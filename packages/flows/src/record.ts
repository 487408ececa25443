/**
 * The record of a sample: all that its way to a candidate took from others, by what was asked. With it the
 * sample is scored again, by another policy or a newer scorer, and nobody is asked.
 */
import { contentId, type Need, type Observation } from '@stateeval/contracts'
import type { Entry, Log } from './dialogue.ts'
import type { ItemNeed } from './flow.ts'
import type { Effort, Playing, SampleOutcome } from './sample.ts'

/** What reference and mutant showed on further inputs: there only where a mutant passed. */
export interface FurtherRuns {
  reference: Observation[]
  mutant: Observation[]
}

/** What is stored beside a sample's outcome; its log stands there where the sample is a dialogue. */
export interface SampleRecord {
  log?: Log
  further?: FurtherRuns
}

/** A record at hand. */
export interface Replay {
  entries: readonly Entry[]
  further?: FurtherRuns
  effort: Partial<Effort>
}

/**
 * What belongs to the answers rather than to how they were come by: it makes a recording of the evaluation
 * that scores again as good as that of the first one.
 */
export const effortOfReplay = ({
  seeds,
  storeKeys,
  cut,
  finish,
  unanswered,
}: SampleOutcome): Partial<Effort> => ({
  ...(seeds && { seeds }),
  ...(storeKeys && { storeKeys }),
  ...(cut && { cut }),
  ...(finish !== undefined && { finish }),
  ...(unanswered && { unanswered }),
})

/**
 * What a need asks for, as a hash: the same for the same question, whoever answers it, and for the same run,
 * whatever seeds its worlds get. Sessions are told apart by their number and by how many calls each has had.
 */
export const needKey = (need: Need | Playing['need'], itemNeed: ItemNeed): string =>
  contentId(askedBy(need, itemNeed))

function askedBy(need: Need | Playing['need'], itemNeed: ItemNeed): unknown {
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
