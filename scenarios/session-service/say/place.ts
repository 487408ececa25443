/** The source and type under which sessions are kept, and the one session among them, as parts of a slot. */
import type { ArgPattern } from '@stateeval/program'

/** Source and type taken from what fills the slot. */
export const buildPlaceSlots = (slot: string) =>
  ({ source: { slot, path: ['source'] }, type: { slot, path: ['type'] } }) satisfies Record<
    string,
    ArgPattern
  >

/** Source and type said each on its own. */
export const placeParts = { source: { slot: 'source' }, type: { slot: 'type' } } satisfies Record<
  string,
  ArgPattern
>
export const placeSlots = { source: 'value', type: 'value' } as const

/** Source, type and id taken from what fills the slot: one session. */
export const buildSessionSlots = (slot: string) =>
  ({ ...buildPlaceSlots(slot), id: { slot, path: ['id'] } }) satisfies Record<string, ArgPattern>

/** The parts of a session that a call reached by its path. */
export const sessionParts = {
  source: { argument: 'source' },
  type: { argument: 'type' },
  id: { argument: 'id' },
} as const
