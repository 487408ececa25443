/** A world model: notes that are added, listed, read and deleted. */
import { formatWorldId } from '../world.ts'

const base = { type: 'note', status: 200 } as const
const one = { kind: 'http', path: '/notes/{id}' } as const
export const exampleWorldModel = {
  schema: 'stateeval-world/1',
  title: 'Notes',
  types: {
    note: {
      noun: 'note',
      plural: 'notes',
      identity: { field: 'id', by: 'server' },
      fields: {
        title: { type: 'string', required: true },
        state: { type: 'string', enum: ['open', 'done'] },
      },
      order: 'insertion',
    },
  },
  operations: {
    addNote: {
      ...base,
      effect: 'create',
      request: { kind: 'http', method: 'POST', path: '/notes', body: { argument: 'note', media: 'json' } },
      content: { argument: 'note' },
      answer: { is: 'item' },
    },
    listNotes: {
      ...base,
      effect: 'list',
      request: { kind: 'http', method: 'GET', path: '/notes' },
      answer: { is: 'list' },
    },
    getNote: {
      ...base,
      effect: 'read',
      request: { ...one, method: 'GET' },
      target: 'id',
      answer: { is: 'item' },
    },
    deleteNote: {
      ...base,
      effect: 'delete',
      request: { ...one, method: 'DELETE' },
      target: 'id',
      answer: { is: 'none' },
    },
  },
  facts: { '': { by: 'person', confirmed: 0 } },
} as const

const hash = '9530dade8d2ad68747bc61fedf7ea41f22744c8b77ecf59fa4c5883d24190d0d'
export const exampleWorldModelResource = {
  digest: `sha256:${hash}`,
  title: exampleWorldModel.title,
  scenario: formatWorldId(hash),
  types: 1,
  operations: 4,
  callable: 4,
  createdAt: '2026-09-26T08:00:00.000Z',
  links: { self: `/v1/worlds/sha256:${hash}` },
}
