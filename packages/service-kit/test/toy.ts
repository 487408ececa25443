/** A small service that uses all of the chassis. */
import { defineOperations, Events, type JobSubject, PositionQuery } from '@stateeval/contracts'
import Type from 'typebox'
import {
  buildBaseConfig,
  baseSettings,
  freezeConfig,
  defineService,
  type OperationHandlers,
  type ServicePlatform,
  readSettings,
} from '../src/index.ts'

const Thing = Type.Object(
  { id: Type.String(), size: Type.Integer({ minimum: 1, maximum: 9 }) },
  { additionalProperties: false },
)

export const operations = defineOperations({
  createThing: {
    method: 'POST',
    path: '/v1/things',
    scope: 'run',
    tag: 'things',
    summary: 'Make',
    description: 'Makes a thing and queues work on it.',
    body: Type.Object({ size: Type.Integer({ minimum: 1, maximum: 9 }) }, { additionalProperties: false }),
    bodyLimit: 2000,
    success: { 201: { description: 'Made', schema: Thing } },
    errors: [400, 409, 413, 415, 422],
  },
  getThing: {
    method: 'GET',
    path: '/v1/things/:id',
    scope: 'read',
    tag: 'things',
    summary: 'Get',
    description: 'Gets a thing; it never changes.',
    params: Type.Object({ id: Type.String({ maxLength: 20 }) }),
    etag: 'immutable',
    query: PositionQuery,
    success: { 200: { description: 'The thing', schema: Thing } },
    errors: [400, 404],
  },
  listThings: {
    method: 'GET',
    path: '/v1/lists',
    scope: 'read',
    tag: 'things',
    summary: 'List',
    description: 'Lists so many things, however many they are.',
    query: Type.Object({ count: Type.Integer() }),
    success: { 200: { description: 'The things', schema: Type.Array(Thing) } },
    errors: [400],
  },
  breakThing: {
    method: 'DELETE',
    path: '/v1/things/:id',
    scope: 'run',
    tag: 'things',
    summary: 'Break',
    description: 'Fails in the way that its id says.',
    params: Type.Object({ id: Type.String() }),
    success: { 204: { description: 'Gone', schema: null } },
    errors: [400, 404],
  },
  watchThings: {
    method: 'GET',
    path: '/v1/things/events',
    scope: 'read',
    tag: 'things',
    summary: 'Watch',
    description: 'What happens to things, as server-sent events.',
    success: { 200: { description: 'Events', schema: Events, contentType: 'text/event-stream' } },
    errors: [400],
  },
})

export interface ToyContext extends ServicePlatform {
  thingIds: string[]
  /** Whether the caller of each creation had gone when the work was done. */
  aborts: boolean[]
  /** Things of lists that were written so far, and lists that are being written. */
  listed: { things: number; open: number }
  /** What a creation does once its thing is made. */
  work: (signal: AbortSignal) => Promise<void>
}

const handlers: OperationHandlers<typeof operations, ToyContext> = {
  async createThing({ body, idempotencyKey, signal }, { bus, aborts, thingIds, newId, send, work }) {
    bus.check()
    const id = newId('thing', idempotencyKey)
    thingIds.push(id)
    await work(signal)
    await send('jobs.scoring.score', { id, value: { size: body.size } })
    aborts.push(signal.aborted)
    return { status: 201, body: { id, size: body.size }, headers: { location: `/v1/things/${id}` } }
  },
  getThing: async ({ params }) => ({
    status: 200,
    body: { id: params.id, size: params.id === 'broken' ? 99 : 1 },
    etag: params.id,
  }),
  async listThings({ query: { count } }, { listed }) {
    const text = async function* () {
      listed.open++
      try {
        for (let n = 0; n < count; n++) {
          if (n === 500_000) throw new Error('the store is gone')
          listed.things++
          yield `${n === 0 ? '[' : ','}{"id":"${n}${'x'.repeat(1000)}","size":1}`
        }
        yield ']'
      } finally {
        listed.open--
      }
    }
    return { status: 200, json: text() }
  },
  async breakThing({ params }) {
    if (params.id === 'crash') throw new Error('the password is hunter2')
    return { status: 204 }
  },
  async watchThings({ signal }, { bus }) {
    const events = async function* () {
      for await (const { sequence, what, data } of bus.events('thing', 'all', { signal }))
        yield { id: sequence, event: what, data }
    }
    return { status: 200, events: events() }
  },
}

export const toy = defineService({
  name: 'scoring',
  description: 'For tests',
  settings: baseSettings,
  readConfig: (env) => freezeConfig(buildBaseConfig('scoring', readSettings(baseSettings, env))),
  buildContext: (platform: ServicePlatform): ToyContext => ({
    ...platform,
    thingIds: [],
    aborts: [],
    listed: { things: 0, open: 0 },
    work: async () => undefined,
  }),
  operations,
  bodies: new URL(import.meta.url),
  handlers,
})
export const kind: JobSubject = 'jobs.scoring.score'
