/** Evaluations in a list, filtered and sorted according to its URL. */
import type { EvaluationResource } from '@stateeval/contracts'
import { rateCounts } from '@stateeval/program/format'

export const sortings = ['newest', 'oldest', 'model', 'rate', 'cost'] as const
export type ListSorting = (typeof sortings)[number]

export interface ListFilter {
  /** Words, each of which the id, model, benchmark, tags or error must contain. */
  q?: string
  status?: string
  benchmark?: string
  tag?: string
  sort?: ListSorting
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
/** Sorts the highest first, and those without a number last. */
const compareFalling = (a: number | null | undefined, b: number | null | undefined) =>
  (b ?? -Infinity) - (a ?? -Infinity) || 0

const orders: Record<ListSorting, (a: EvaluationResource, b: EvaluationResource) => number> = {
  newest: (a, b) => compareText(b.createdAt, a.createdAt),
  oldest: (a, b) => compareText(a.createdAt, b.createdAt),
  model: (a, b) => compareText(a.model.toLowerCase(), b.model.toLowerCase()),
  rate: (a, b) => compareFalling(rateCounts(a.counts).rate, rateCounts(b.counts).rate),
  cost: (a, b) => compareFalling(a.spent?.costUsd, b.spent?.costUsd),
}

export function filterEvaluations(
  evaluations: readonly EvaluationResource[],
  { q = '', status, benchmark, tag, sort = 'newest' }: ListFilter,
): EvaluationResource[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  return evaluations
    .filter((one) => {
      if (status !== undefined && one.status !== status) return false
      if (benchmark !== undefined && one.benchmark !== benchmark) return false
      if (tag !== undefined && !one.tags?.includes(tag)) return false
      const tags = one.tags?.join(' ') ?? ''
      const text = `${one.id} ${one.model} ${one.benchmark} ${tags} ${one.error ?? ''}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    .sort((a, b) => orders[sort](a, b) || compareText(b.createdAt, a.createdAt) || compareText(b.id, a.id))
}

type CachedEvaluations = EvaluationResource[] | undefined
/** The list with the changed or new evaluation; a list that is not loaded yet stays undefined. */
export const withEvaluation = (all: CachedEvaluations, one: EvaluationResource): CachedEvaluations => {
  if (!all?.some(({ id }) => id === one.id)) return all && [...all, one]
  return all.map((other) => (other.id === one.id ? one : other))
}
export const removeEvaluation = (all: CachedEvaluations, id: string): CachedEvaluations =>
  all?.filter((other) => other.id !== id)

/** All tags that some evaluation has. */
export const listTags = (all: readonly EvaluationResource[]): string[] =>
  [...new Set(all.flatMap(({ tags = [] }) => tags))].sort()

/** Tags as they are typed: words with commas or blanks between them. */
export const parseTags = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))]

/** Why an evaluation ended early, in the reader's terms. */
export function explainStop({ status, error, counts }: EvaluationResource): string | null {
  if (status !== 'failed' && status !== 'cancelled') return null
  const when = counts.scored + counts.notScored === 0 ? 'before its first sample' : 'while it ran'
  return `${status === 'failed' ? 'Failed' : 'Stopped'} ${when}${error ? `: ${error}` : ''}`
}
