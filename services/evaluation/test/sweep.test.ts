/** The sweep alone, on a store in memory: what it stops watching, and what it may not. */
import { expect, test } from '@jest/globals'
import { ProblemError } from '@stateeval/contracts'
import type { EvaluationContext } from '../src/context.ts'
import { mostFailures, sweep } from '../src/engine/sweep.ts'

/** Owners by id, watched or not; an owner that is live has one lane that is through, and counts how often it was swept. */
function contextWith(live: Map<string, 'running' | 'succeeded'>, watched: Set<string>) {
  const swept: string[] = []
  const ended: string[] = []
  const owner = (id: string) => {
    const status = live.get(id)
    return status && { id, kind: 'benchmark', status, stage: 'generate', stages: { generate: { total: 0, window: 1 } } }
  }
  const context = {
    swept: { once: false, gone: new Set<string>(), failing: new Map<string, number>() },
    places: new Map(),
    looked: new Map(),
    waits: new Map(),
    seen: new Map(),
    tallies: { many: async () => [] },
    finishing: new Set(),
    plans: { benchmark: { finished: async (_: unknown, { id }: { id: string }) => void swept.push(id) } },
    owners: {
      get: async (id: string) => owner(id) ?? null,
      end: async (id: string, { error }: { error: string }) => {
        live.set(id, 'succeeded')
        ended.push(`${id}: ${error}`)
      },
    },
    active: {
      page: async () => [...watched].map((id) => ({ id, value: { kind: 'benchmark' } })),
      remove: async (id: string) => watched.delete(id),
      create: async (id: string) => void watched.add(id),
    },
  } as unknown as EvaluationContext
  return { context, swept, ended, run: () => sweep(context, new AbortController().signal) }
}

test('an owner that is watched before it is stored stays watched, however long that takes', async () => {
  const live = new Map<string, 'running' | 'succeeded'>()
  const watched = new Set(['bm_1'])
  const { swept, run, context } = contextWith(live, watched)
  await run()
  expect([...watched]).toEqual(['bm_1'])
  // Stored while the second sweep was about to forget it.
  const remove = context.active.remove.bind(context.active)
  context.active.remove = async (id) => {
    live.set(id, 'running')
    return remove(id)
  }
  await run()
  expect([...watched]).toEqual(['bm_1'])
  await run()
  expect(swept).toEqual(['bm_1'])
})

test('an owner that can’t go on stops nobody else, and is looked at again', async () => {
  const live = new Map<string, 'running'>([
    ['bm_1', 'running'],
    ['bm_2', 'running'],
  ])
  const { swept, run, context } = contextWith(live, new Set(['bm_1', 'bm_2']))
  context.plans.benchmark.finished = async (_, { id }) => {
    if (id === 'bm_1' && swept.length === 0) return Promise.reject(new Error('its benchmark is gone'))
    swept.push(id)
  }
  await expect(run()).rejects.toThrow('its benchmark is gone')
  expect(swept).toEqual(['bm_2'])
  await run()
  expect(swept).toEqual(['bm_2', 'bm_1', 'bm_2'])
})

test.each([
  [
    new Error('its report can’t be written'),
    ['bm_1: it could not go on: its report can’t be written; the log of the evaluation service has more'],
  ],
  [new ProblemError('unavailable', 'NATS is away'), []],
])('an owner that can never go on ends; one whose servers are away waits (%#)', async (error, ends) => {
  const { run, context, ended } = contextWith(new Map([['bm_1', 'running']]), new Set(['bm_1']))
  context.plans.benchmark.finished = () => Promise.reject(error)
  for (let n = 0; n < mostFailures; n++) await expect(run()).rejects.toThrow(error.message)
  expect(ended).toEqual(ends)
})

test('an owner that has ended, or never was, is forgotten by the second sweep', async () => {
  const watched = new Set(['bm_ended', 'bm_none', 'bm_running'])
  const { run } = contextWith(
    new Map([
      ['bm_ended', 'succeeded'],
      ['bm_running', 'running'],
    ]),
    watched,
  )
  await run()
  expect(watched.size).toBe(3)
  await run()
  expect([...watched]).toEqual(['bm_running'])
})
