/** Metrics of builds and evaluations: how their items end. */
import type { ServicePlatform } from '@stateeval/service-kit'
import type { ItemCounts } from '@stateeval/workflow'
import { Counter } from 'prom-client'

/** Counts an item's end, by its id and its contribution to the sums. */
export type NoteItem = (id: string, ownCounts: ItemCounts) => void

/** Returns the function that counts an item's end. */
export function createItemMetrics({ registry }: ServicePlatform['metrics']): NoteItem {
  const items = new Counter({
    name: 'stateeval_items_total',
    help: 'Items of builds and evaluations by stage and ending; not_scored does not concern the model',
    labelNames: ['of', 'stage', 'outcome'],
    registers: [registry],
  })
  const notScored = new Counter({
    name: 'stateeval_samples_not_scored_total',
    help: 'Samples that ended without a score, after infrastructure errors or refused questions',
    registers: [registry],
  })
  return (id, { passed = 0, notScored: unscored = 0 }) => {
    const [, stage = ''] = id.split('/')
    items.inc({
      of: id.startsWith('ev_') ? 'evaluation' : 'build',
      // A check that begins anew is a separate stage.
      stage: stage.replace(/-\d+$/, ''),
      outcome: unscored > 0 ? 'not_scored' : passed > 0 ? 'passed' : 'failed',
    })
    if (stage === 'samples') notScored.inc(unscored)
  }
}
