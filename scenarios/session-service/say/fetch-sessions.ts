import type { CallPhrase } from '@stateeval/program'
import { buildPlaceSlots, placeParts, placeSlots } from './place.ts'

export const fetchSessions: CallPhrase = {
  call: { kind: 'http', method: 'POST', path: '/api/sessions/{source}/{type}/query/fetch', body: 'filter' },
  forms: [
    {
      says: [
        'fetch the sessions with the source and type of {place} that pass the filter {filter}',
        'among the sessions with the source and type of {place}, fetch those that pass the filter {filter}',
      ],
      args: { ...buildPlaceSlots('place'), filter: { slot: 'filter' } },
      slots: { place: 'reference', filter: 'value' },
    },
    {
      says: ['fetch the sessions with source {source} and type {type} that pass the filter {filter}'],
      args: { ...placeParts, filter: { slot: 'filter' } },
      slots: { ...placeSlots, filter: 'value' },
    },
  ],
  output: {
    any: ['the result of {which} filter'],
    just: ['the sessions you just fetched'],
    sole: ['the filtered sessions'],
    returned: ['the sessions as returned by {which} filter'],
  },
  item: {
    any: ['the {nth} session in the result of {which} filter'],
    sole: ['the {nth} filtered session'],
    returned: ['the {nth} session as returned by {which} filter'],
  },
  count: {
    any: ['the number of sessions in the result of {which} filter'],
    sole: ['the number of filtered sessions'],
    returned: ['the number of sessions as returned by {which} filter'],
  },
}
