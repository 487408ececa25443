/** Owners and their way through the stages. */
import type { DocumentStore, RevisedDocuments } from '@stateeval/service-kit'
import { expect, test } from '@jest/globals'
import { partial } from '@stateeval/testkit/partial'
import type { JobOwner } from './owner.ts'
import { openOwners } from './owners.ts'

function world(
  documentsById: Record<string, object>,
  changed: (owner: JobOwner) => Promise<void> = async () => {},
) {
  const documents = new Map<string, unknown>(Object.entries(documentsById))
  const collection: RevisedDocuments<unknown> = {
    create: async (id, value) => !documents.has(id) && Boolean(documents.set(id, value)),
    get: async (id) => documents.get(id) ?? null,
    async update(id, change) {
      const value = documents.get(id)
      const next = value && change(value)
      if (next) documents.set(id, next)
      return next ?? value ?? null
    },
    replace: async (id, value) => void documents.set(id, value),
    remove: async (id) => documents.delete(id),
    page: async () => [...documents].map(([id, value]) => ({ id, value })),
  }
  const store = partial<DocumentStore>({ revised: () => collection })
  const ended: string[] = []
  const told: string[][] = []
  const active = new Set<string>()
  const nothing = async () => undefined
  const owners = openOwners(store, {
    active: partial({
      create: async (id: string) => Boolean(active.add(id)),
      get: async () => null,
      remove: async (id: string) => active.delete(id),
    }),
    ends: { drop: nothing },
    asks: { drop: nothing },
    endedOwners: { put: async () => true },
    results: { drop: nothing },
    engine: { forget: (id) => void ended.push(id) },
    bus: { publishEvent: nothing },
    announcer: {
      async changed(owner) {
        told.push((owner.changes ?? []).map(({ what }) => what))
        await changed(owner)
      },
    },
    now: () => new Date(0),
  })
  return { owners, active, ended, told }
}
const common = {
  entity: 'benchmark',
  status: 'running',
  stage: 'tasks',
  stages: { tasks: { total: 1, partitions: 1 } },
  createdAt: '2026-01-01T00:00:00.000Z',
  kind: 'wapiibench',
}

test('a stage is entered once, from the stage before, and an end stays', async () => {
  const { owners, ended, told } = world({
    bm_2: { ...common, id: 'bm_2', origin: 'build', build: { seed: 1 } },
  })
  const owner = (await owners.get('bm_2')) as JobOwner
  expect(await owners.enter(owner, 'generate', { stage: 'programs' })).toBeNull()
  expect(await owners.enter(owner, 'tasks', { stage: 'programs' })).not.toBeNull()
  expect(await owners.enter(owner, 'tasks', { stage: 'programs' })).toBeNull()
  await owners.end('bm_2', { status: 'failed', error: 'first' })
  await owners.end('bm_2', { status: 'succeeded' })
  expect(await owners.get('bm_2')).toMatchObject({ status: 'failed', error: 'first' })
  expect(ended).toEqual(['bm_2'])
  expect(told).toEqual([['failed']])
  expect(await owners.enter(owner, 'programs', { stage: 'done' })).toBeNull()
})

test('an evaluation that is resumed while its end is announced stays watched', async () => {
  const { owners, active } = world(
    { ev_1: { ...common, entity: 'evaluation', id: 'ev_1' } },
    async ({ id, status }) => void (status === 'cancelled' && (await owners.reopen(id))),
  )
  await owners.end('ev_1', { status: 'cancelled' })
  expect(await owners.get('ev_1')).toMatchObject({ status: 'running' })
  expect([...active]).toEqual(['ev_1'])
  await owners.end('ev_1', { status: 'failed', error: 'x' })
  expect([...active]).toEqual([])
})
