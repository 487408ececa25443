/** Names of items and of their steps: deterministic, so that the same work has the same id wherever it is asked for. */

export interface Item {
  owner: string
  stage: string
  index: number
}

export const itemId = ({ owner, stage, index }: Item) => `${owner}/${stage}/${String(index).padStart(7, '0')}`
/** The state of an item after `rev` answers; jobs that it waits for are named after it. */
export const stepId = (item: Item, rev: number) => `${itemId(item)}@${rev}`

/** Reads a step's id back; null where it is none. */
export function parseStep(text: string): { item: Item; rev: number } | null {
  const found = /^([^/]+)\/([^/]+)\/(\d{7,})@(\d+)$/.exec(text)
  if (!found) return null
  return { item: { owner: found[1] as string, stage: found[2] as string, index: Number(found[3]) }, rev: Number(found[4]) }
}
