import type { CallPhrase } from '@stateeval/program'
import { buildPlaceSlots, placeParts, placeSlots } from './place.ts'

export const listSessions: CallPhrase = {
  call: { kind: 'http', method: 'GET', path: '/api/sessions/{source}/{type}' },
  forms: [
    {
      says: [
        'list the sessions with the source and type of {place}',
        'list all sessions that have the same source and type as {place}',
        'get all sessions stored under the source and type of {place}',
        'retrieve every session with the same source and type as {place}',
      ],
      args: buildPlaceSlots('place'),
      slots: { place: 'reference' },
    },
    {
      says: [
        'list the sessions whose source is {source} and whose type is {type}',
        'get all sessions with source {source} and type {type}',
      ],
      args: placeParts,
      slots: placeSlots,
    },
  ],
  output: {
    any: ['{which} listing'],
    just: ['the sessions you just listed'],
    sole: ['the listed sessions'],
    returned: ['the sessions as returned by {which} listing'],
  },
  item: {
    any: ['the {nth} session of {which} listing', 'the {nth} session in {which} listing'],
    just: ['the {nth} session you just listed'],
    sole: ['the {nth} listed session'],
    returned: ['the {nth} session as returned by {which} listing'],
  },
  count: {
    any: ['the number of sessions in {which} listing'],
    sole: ['the number of listed sessions'],
    returned: ['the number of sessions as returned by {which} listing'],
  },
}
