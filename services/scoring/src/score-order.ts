/** An item to be scored, on its way to where that is done. */
import {
  listCaseArtifacts,
  listWorldArtifacts,
  ProblemError,
  type Score,
  type ScoreItem,
} from '@stateeval/contracts'
import { isLong } from '@stateeval/service-kit/bodies'

/** Characters beyond which a text is scored in a thread, so that others are answered meanwhile. */
const maxInPlace = 64 * 1024
export const isLongItem = (item: ScoreItem) =>
  isLong('kind' in item ? item.candidate : [item.expected, item.observed], maxInPlace)

/** Documents and artifacts to which an item refers. */
export interface ItemNames {
  kind?: string
  policy?: string
  scenario?: string
  artifacts: readonly string[]
}

/** Throws a problem where the parts of an item don't fit together. */
export function resolveNames(item: ScoreItem): ItemNames {
  if (!('kind' in item)) {
    const { scenario, expected, observed } = item
    if (expected.length !== observed.length)
      throw new ProblemError(
        'unprocessable',
        `there are ${expected.length} expectations and ${observed.length} observations; send one for each input`,
        '/observed',
      )
    return { scenario, artifacts: listWorldArtifacts(scenario) }
  }
  const { kind, policy, case: of } = item
  return {
    kind,
    ...(policy !== undefined && { policy }),
    ...('scenario' in of && { scenario: of.scenario }),
    artifacts: listCaseArtifacts(of),
  }
}

/**
 * The score of an item that needed nothing of the store, or the item. A long one is JSON text: copied as a
 * value, it would hold who sends it.
 */
export type ScoreOrder = { score: Score } | { names: ItemNames; item: ScoreItem | string }

/** A problem of an item of a batch names its place. */
export function locateProblem(place: string, error: unknown): unknown {
  return error instanceof ProblemError
    ? new ProblemError(error.code, error.message, `${place}${error.field ?? ''}`)
    : error
}
