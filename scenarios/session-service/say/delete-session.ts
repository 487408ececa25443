import type { CallPhrase } from '@stateeval/program'
import { buildPlaceSlots, placeParts, placeSlots, buildSessionSlots } from './place.ts'

export const deleteSession: CallPhrase = {
  call: { kind: 'http', method: 'DELETE', path: '/api/sessions/{source}/{type}/{id}' },
  forms: [
    {
      says: ['delete {session}', 'remove {session}'],
      args: buildSessionSlots('session'),
      slots: { session: 'reference' },
    },
    {
      says: [
        'delete the session with the source and type of {place} that has the id of {target}',
        'under the source and type of {place}, delete the session that has the id of {target}',
      ],
      args: { ...buildPlaceSlots('place'), id: { slot: 'target', path: ['id'] } },
      slots: { place: 'reference', target: 'reference' },
    },
    {
      says: ['under the source and type of {place}, delete the session with the id {id}'],
      args: { ...buildPlaceSlots('place'), id: { slot: 'id' } },
      slots: { place: 'reference', id: 'value' },
    },
    {
      says: ['delete the session with source {source}, type {type}, and id {id}'],
      args: { ...placeParts, id: { slot: 'id' } },
      slots: { ...placeSlots, id: 'value' },
    },
  ],
}
