/** The state of a modelled world: an immutable value that survives JSON. */
import type { JsonObject } from '@stateeval/contracts'

export interface ModelItem {
  type: string
  /** The number of the item in this world, in order of creation; it never recurs. */
  key: number
  /** The key of the item above; null at the top. */
  parent: number | null
  values: JsonObject
  /** The call that last wrote the item. */
  touched: number
}

export interface ModelState {
  /** In order of creation. */
  items: readonly ModelItem[]
  nextKey: number
  /** The number of calls that wrote. */
  writes: number
}

export const emptyState: ModelState = { items: [], nextKey: 0, writes: 0 }
