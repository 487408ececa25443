import type { CallPhrase } from '@stateeval/program'
import { buildPlaceSlots, placeParts, placeSlots, buildSessionSlots, sessionParts } from './place.ts'

export const updateSession: CallPhrase = {
  call: { kind: 'http', method: 'PUT', path: '/api/sessions/{source}/{type}/{id}', body: 'data' },
  forms: [
    {
      says: [
        'update {session} with the data of your copy of it',
        'save your copy of {session} back to the service',
        'write your copy of {session} back with an update',
      ],
      args: { ...buildSessionSlots('session'), data: { slot: 'session', path: ['data'] } },
      slots: { session: 'copy' },
    },
    {
      says: [
        'update {session} with the data of {content}',
        'update {session} so that it holds the data of {content}',
        'overwrite {session} with the data of {content}',
      ],
      args: { ...buildSessionSlots('session'), data: { slot: 'content', path: ['data'] } },
      slots: { session: 'reference', content: 'reference' },
    },
    {
      says: ['update {session} so that its data becomes {data}'],
      args: { ...buildSessionSlots('session'), data: { slot: 'data' } },
      slots: { session: 'reference', data: 'value' },
    },
    {
      says: [
        'use the source, type, and data of {content} to update the session that has the id of {target}',
        'with the source, type, and data of {content}, update the session that has the id of {target}',
      ],
      args: {
        ...buildPlaceSlots('content'),
        id: { slot: 'target', path: ['id'] },
        data: { slot: 'content', path: ['data'] },
      },
      slots: { content: 'reference', target: 'reference' },
    },
    {
      says: [
        'under the source and type of {place}, update the session that has the id of {target} with the data of {content}',
      ],
      args: {
        ...buildPlaceSlots('place'),
        id: { slot: 'target', path: ['id'] },
        data: { slot: 'content', path: ['data'] },
      },
      slots: { place: 'reference', target: 'reference', content: 'reference' },
    },
    {
      says: [
        'under the source and type of {place}, update the session with the id {id} so that its data becomes {data}',
      ],
      args: { ...buildPlaceSlots('place'), id: { slot: 'id' }, data: { slot: 'data' } },
      slots: { place: 'reference', id: 'value', data: 'value' },
    },
    {
      says: [
        'update the session with source {source}, type {type}, and id {id} so that its data becomes {data}',
      ],
      args: { ...placeParts, id: { slot: 'id' }, data: { slot: 'data' } },
      slots: { ...placeSlots, id: 'value', data: 'value' },
    },
  ],
  thing: {
    any: ['the session of {which} update'],
    just: ['the session you just updated'],
    sole: ['the updated session'],
    parts: sessionParts,
  },
}
