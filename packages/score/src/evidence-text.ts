/**
 * Makes texts of a run independent of the run: tokens for ids; no hosts, ports, times or paths of the
 * machine.
 */
import type { WorldState } from '@stateeval/contracts'
import { IdTable } from './compare/ids.ts'
import { type IdLabels, createLabels } from './compare/labels.ts'

/** Tokens for the ids of one run. */
export const runLabels = (world: WorldState | null): IdLabels =>
  createLabels(new IdTable(world ?? { ids: { initial: [], created: [] }, gone: [] }))

const longest = 500

export function formatEvidence(text: string, labels: IdLabels): string {
  const steady = labels
    .text('found', text.slice(0, 10 * longest))
    .replace(/\b(?:127\.0\.0\.1|0\.0\.0\.0|localhost|\[?::1\]?)(?::\d+)?/g, '<host>')
    .replace(/<host>(\s+|:)\d{2,5}\b/g, '<host>')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/g, '<time>')
    .replace(
      /(?:file:\/\/)?(?:\/(?:tmp|home|root|usr|var|opt|work|run|proc|app|mnt|srv|etc)\/)[^\s'"`)\]:]*/g,
      '<path>',
    )
  return steady.length > longest ? `${steady.slice(0, longest)}…` : steady
}
