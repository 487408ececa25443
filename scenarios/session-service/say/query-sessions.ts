import type { Phrase } from '@stateeval/program'
import { placeOf, placeParts, placeSlots } from './place.ts'

export const querySessions: Phrase = {
  call: {
    kind: 'http',
    method: 'GET',
    path: '/api/sessions/{source}/{type}/query',
    query: ['field', 'value'],
  },
  forms: [
    {
      says: [
        'query the sessions that share the source, type and {field} of {item}',
        'search for sessions with the same source, type and {field} as {item}',
        'query for all sessions with the source, type and {field} of {item}',
      ],
      args: {
        ...placeOf('item'),
        field: { slot: 'field', prefix: 'data.' },
        value: { slot: 'item', path: ['data', { slot: 'field' }] },
      },
      slots: { item: 'reference', field: 'word' },
    },
    {
      says: [
        'query the sessions with the source and type of {place} by {field}, looking for {value}',
        'among the sessions with the source and type of {place}, search for those with {value} in the {field} field',
        'search the sessions stored under the source and type of {place} for {value} in the {field} field',
      ],
      args: { ...placeOf('place'), field: { slot: 'field', prefix: 'data.' }, value: { slot: 'value' } },
      slots: { place: 'reference', field: 'word', value: 'value' },
    },
    {
      says: [
        'query the sessions with the source and type of {place} by the field {field} and the value {value}',
      ],
      args: { ...placeOf('place'), field: { slot: 'field' }, value: { slot: 'value' } },
      slots: { place: 'reference', field: 'value', value: 'value' },
    },
    {
      says: ['query the sessions with source {source} and type {type} by {field}, looking for {value}'],
      args: { ...placeParts, field: { slot: 'field', prefix: 'data.' }, value: { slot: 'value' } },
      slots: { ...placeSlots, field: 'word', value: 'value' },
    },
    {
      says: [
        'query the sessions with source {source} and type {type} by the field {field} and the value {value}',
      ],
      args: { ...placeParts, field: { slot: 'field' }, value: { slot: 'value' } },
      slots: { ...placeSlots, field: 'value', value: 'value' },
    },
  ],
  output: {
    any: ['the matches of {which} query'],
    just: ['the matches it found', 'those matches'],
    sole: ['the matches', 'the matches of the query'],
  },
  item: {
    any: ['the {nth} match of {which} query'],
    just: ['the {nth} session it found'],
    sole: ['the {nth} match', 'the {nth} matching session'],
  },
  count: { any: ['the number of matches of {which} query'], sole: ['the number of matches'] },
}
