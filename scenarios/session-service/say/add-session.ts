import type { CallPhrase } from '@stateeval/program'
import { buildPlaceSlots, placeParts, placeSlots } from './place.ts'

export const addSession: CallPhrase = {
  call: { kind: 'http', method: 'POST', path: '/api/sessions/{source}/{type}', body: 'data' },
  forms: [
    {
      says: [
        'add {item} as a new session',
        'save {item} as a new session',
        'create a new session from {item}',
        'store {item} as a new session',
      ],
      args: { ...buildPlaceSlots('item'), data: { slot: 'item', path: ['data'] } },
      slots: { item: 'variable' },
    },
    {
      says: [
        'add your copy of {item} as a new session',
        'save your copy of {item} as another session',
        'create a new session from your copy of {item}',
      ],
      args: { ...buildPlaceSlots('item'), data: { slot: 'item', path: ['data'] } },
      slots: { item: 'copy' },
    },
    {
      says: [
        'add a new session with the source and type of {place} and the data of {content}',
        'create a session under the source and type of {place} that holds the data of {content}',
      ],
      args: { ...buildPlaceSlots('place'), data: { slot: 'content', path: ['data'] } },
      slots: { place: 'reference', content: 'reference' },
    },
    {
      says: ['add a new session with the source and type of {place} and {data} as its data'],
      args: { ...buildPlaceSlots('place'), data: { slot: 'data' } },
      slots: { place: 'reference', data: 'value' },
    },
    {
      says: ['add a new session with source {source}, type {type}, and the data of {content}'],
      args: { ...placeParts, data: { slot: 'content', path: ['data'] } },
      slots: { ...placeSlots, content: 'reference' },
    },
    {
      says: ['add a new session with source {source}, type {type}, and {data} as its data'],
      args: { ...placeParts, data: { slot: 'data' } },
      slots: { ...placeSlots, data: 'value' },
    },
  ],
  output: {
    any: ["the service's answer to {which} addition"],
    just: ['what the service answered to that'],
    sole: ["the service's answer to the addition"],
  },
  thing: {
    any: ['{which} new session'],
    just: ['the session you just added', 'the session you just created'],
    sole: ['the session you added', 'the added session'],
    parts: { id: { output: ['id'] }, source: { argument: 'source' }, type: { argument: 'type' } },
  },
}
