/** Task sources that a thread keeps open: several builds ask for their parts in turn. */
import type { TaskSource } from '@stateeval/program'
import { LRUCache } from 'lru-cache'
import type { SourceOpening } from '@stateeval/jobs'

/** Length of the specifications together. Read, one takes up to twenty times as much memory. */
const maxBytes = 8 * 1024 * 1024

/** Opens each source once, until others need its place. The newest is always kept. */
export function createSourceCache(open: (opening: SourceOpening) => TaskSource) {
  const sources = new LRUCache<string, TaskSource>({ maxSize: maxBytes })
  let newest: { key: string; source: TaskSource } | undefined
  return (opening: SourceOpening): TaskSource => {
    const { key, specification } = opening
    const known = newest?.key === key ? newest.source : sources.get(key)
    const source = known ?? open(opening)
    newest = { key, source }
    if (!known) sources.set(key, source, { size: Math.max(1, specification.length) })
    return source
  }
}
