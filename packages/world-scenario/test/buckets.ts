/** A model with items two levels down, bodies and answers in envelopes, and ids that the server chooses. */
import type { WorldModel, WorldOperation, WorldType } from '@stateeval/world-model'

const levels = ['bucket', 'collection', 'record'] as const

export function createBuckets(): WorldModel {
  const types: Record<string, WorldType> = {}
  const operations: Record<string, WorldOperation> = {}
  for (const [depth, name] of levels.entries()) {
    const parents = levels.slice(0, depth).map((one) => `${one}_id`)
    const path = levels.slice(0, depth).reduce((above, one) => `${above}/${one}s/{${one}_id}`, '')
    const common = { type: name, ...(depth > 0 && { parents }), status: 200 } as const
    const body = { argument: 'body', at: ['data'], media: 'json' } as const
    const [all, one] = [`${path}/${name}s`, `${path}/${name}s/{id}`]
    const item = { is: 'item', at: ['data'] } as const satisfies WorldOperation['answer']
    types[name] = {
      noun: name,
      plural: `${name}s`,
      ...(depth > 0 && { parent: levels[depth - 1]! }),
      identity: { field: 'id', by: name === 'record' ? 'server' : 'client' },
      fields: {
        title: { type: 'string', required: true },
        size: { type: 'integer', minimum: 1, maximum: 90 },
        state: { type: 'string', enum: ['open', 'closed', 'draft'] },
        labels: { type: 'array', items: 'string' },
      },
      server: { '/last_modified': { from: 'clock', onWrite: true } },
      order: name === 'record' ? 'newest' : 'insertion',
    }
    const add = (verb: string, operation: Omit<WorldOperation, 'type' | 'status'>) =>
      (operations[`${verb}_${name}`] = { ...common, ...operation })
    const request = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', at: string): WorldOperation['request'] => ({
      kind: 'http',
      method,
      path: at,
      ...((method === 'POST' || method === 'PUT') && { body: { ...body, at: [...body.at] } }),
    })
    const content = { argument: 'body' }
    const target = 'id'
    add('list', {
      effect: 'list',
      request: { ...request('GET', all), query: ['state'] } as WorldOperation['request'],
      filters: { state: 'state' },
      answer: { is: 'list', at: ['data'] },
    })
    add('get', { effect: 'read', request: request('GET', one), target, answer: item })
    add('delete', { effect: 'delete', request: request('DELETE', one), target, answer: { is: 'none' } })
    add('put', {
      effect: 'replace',
      request: request('PUT', one),
      target,
      content,
      answer: item,
      ...(name !== 'record' && { createsStatus: 201 }),
    })
    if (name === 'record')
      add('add', { effect: 'create', request: request('POST', all), content, answer: item })
  }
  const facts = { '': { by: 'person', confirmed: 0 } } as const
  return { schema: 'stateeval-world/1', title: 'Buckets', base: '/v1', types, operations, facts }
}
