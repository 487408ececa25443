import type { CallPhrase } from '@stateeval/program'
import { buildPlaceSlots, placeParts, placeSlots, buildSessionSlots } from './place.ts'

export const getSession: CallPhrase = {
  call: { kind: 'http', method: 'GET', path: '/api/sessions/{source}/{type}/{id}' },
  forms: [
    {
      says: [
        'fetch {session} by its id',
        'look up {session} by its id',
        'get a fresh copy of {session} by its id',
      ],
      args: buildSessionSlots('session'),
      slots: { session: 'reference' },
    },
    {
      says: ['under the source and type of {place}, fetch the session that has the id of {target}'],
      args: { ...buildPlaceSlots('place'), id: { slot: 'target', path: ['id'] } },
      slots: { place: 'reference', target: 'reference' },
    },
    {
      says: ['fetch the session with source {source}, type {type}, and id {id}'],
      args: { ...placeParts, id: { slot: 'id' } },
      slots: { ...placeSlots, id: 'value' },
    },
  ],
  output: {
    any: ['the session from {which} lookup'],
    just: ['the session you just fetched'],
    sole: ['the fetched session'],
    returned: ['the session as returned by {which} lookup'],
  },
}
