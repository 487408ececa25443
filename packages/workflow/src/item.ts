/**
 * Names of items and of their steps: deterministic, so that the same work has the same id wherever it is
 * asked for.
 */

export interface Item {
  workflow: string
  stage: string
  index: number
}

/** An item's state after `rev` answers. */
export interface Step {
  item: Item
  rev: number
}

export const itemId = ({ workflow, stage, index }: Item) =>
  `${workflow}/${stage}/${String(index).padStart(7, '0')}`

/** Names a step; the job that it waits for is named after it. */
export const stepId = ({ item, rev }: Step) => `${itemId(item)}@${rev}`

/** Reads a step's id back; null where the text is none. */
export function parseStep(text: string): Step | null {
  const match = /^([^/]+)\/([^/]+)\/(\d{7,})@(\d+)$/.exec(text)
  if (!match) return null
  const [, workflow = '', stage = '', index, rev] = match
  return { item: { workflow, stage, index: Number(index) }, rev: Number(rev) }
}
