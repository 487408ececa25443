import type { CallPhrase } from '@stateeval/program'
import { buildPlaceSlots, placeParts, placeSlots } from './place.ts'

export const querySessions: CallPhrase = {
  call: {
    kind: 'http',
    method: 'GET',
    path: '/api/sessions/{source}/{type}/query',
    query: ['field', 'value'],
  },
  forms: [
    {
      says: [
        'query the sessions that share the source, type, and {field} of {item}',
        'search for sessions with the same source, type, and {field} as {item}',
        'query for all sessions with the source, type, and {field} of {item}',
      ],
      args: {
        ...buildPlaceSlots('item'),
        field: { slot: 'field', prefix: 'data.' },
        value: { slot: 'item', path: ['data', { slot: 'field' }] },
      },
      slots: { item: 'reference', field: 'word' },
    },
    {
      says: [
        'query the sessions with the source and type of {place} for those with the same {field} as {item}',
        'among the sessions with the source and type of {place}, search for those with the same {field} as {item}',
        'search the sessions stored under the source and type of {place} for those with the {field} of {item}',
      ],
      args: {
        ...buildPlaceSlots('place'),
        field: { slot: 'field', prefix: 'data.' },
        value: { slot: 'item', path: ['data', { slot: 'field' }] },
      },
      slots: { place: 'reference', item: 'reference', field: 'word' },
    },
    {
      says: [
        'query the sessions with the source and type of {place} by the {field} field for {value}',
        'among the sessions with the source and type of {place}, search the {field} field for {value}',
        'search the {field} field of the sessions stored under the source and type of {place} for {value}',
      ],
      args: {
        ...buildPlaceSlots('place'),
        field: { slot: 'field', prefix: 'data.' },
        value: { slot: 'value' },
      },
      slots: { place: 'reference', field: 'word', value: 'value' },
    },
    {
      says: [
        'query the sessions with the source and type of {place} with {field} as the field and {value} as the value',
      ],
      args: { ...buildPlaceSlots('place'), field: { slot: 'field' }, value: { slot: 'value' } },
      slots: { place: 'reference', field: 'value', value: 'value' },
    },
    {
      says: ['query the sessions with source {source} and type {type} by the {field} field for {value}'],
      args: { ...placeParts, field: { slot: 'field', prefix: 'data.' }, value: { slot: 'value' } },
      slots: { ...placeSlots, field: 'word', value: 'value' },
    },
    {
      says: [
        'query the sessions with source {source} and type {type} with {field} as the field and {value} as the value',
      ],
      args: { ...placeParts, field: { slot: 'field' }, value: { slot: 'value' } },
      slots: { ...placeSlots, field: 'value', value: 'value' },
    },
  ],
  output: {
    any: ['the matches of {which} query'],
    just: ['those matches'],
    sole: ['the matches', 'the matching sessions'],
    returned: ['the matches as returned by {which} query'],
  },
  item: {
    any: ['the {nth} match of {which} query'],
    just: ['the {nth} of those matches'],
    sole: ['the {nth} match', 'the {nth} matching session'],
    returned: ['the {nth} match as returned by {which} query'],
  },
  count: {
    any: ['the number of matches of {which} query'],
    sole: ['the number of matches'],
    returned: ['the number of matches as returned by {which} query'],
  },
}
