/** Names of items and their steps. They are deterministic, so equal work has the same id everywhere. */

export interface WorkflowItem {
  workflow: string
  stage: string
  index: number
}

/** An item's state after `rev` answers. */
export interface ItemStep {
  item: WorkflowItem
  rev: number
}

export const formatItemId = ({ workflow, stage, index }: WorkflowItem) =>
  `${workflow}/${stage}/${String(index).padStart(7, '0')}`

/** The name of a step; the job that it waits for is named after it. */
export const formatStepId = ({ item, rev }: ItemStep) => `${formatItemId(item)}@${rev}`

/** Parses a step's id; null if the text is not one. */
export function parseStep(text: string): ItemStep | null {
  const match = /^([^/]+)\/([^/]+)\/(\d{7,})@(\d+)$/.exec(text)
  if (!match) return null
  const [, workflow = '', stage = '', index, rev] = match
  return { item: { workflow, stage, index: Number(index) }, rev: Number(rev) }
}
