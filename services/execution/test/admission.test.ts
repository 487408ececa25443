/** What is let into the queue, and what a sweep asks for again; the parts around them are played. */
import { expect, test } from '@jest/globals'
import { subjects } from '@stateeval/contracts'
import { partial } from '@stateeval/testkit/partial'
import { admitWork } from '../src/admission.ts'
import type { ExecutionContext } from '../src/context.ts'
import type { StoredExecution } from '../src/store.ts'
import { sweepExecutions } from '../src/sweep.ts'

function queueOf(limit: number, waiting = 0) {
  return partial<ExecutionContext>({
    store: partial<ExecutionContext['store']>({}),
    config: partial<ExecutionContext['config']>({ queue: limit }),
    bus: partial<ExecutionContext['bus']>({
      waiting: async (subject) => (subject === subjects.executeAsked ? waiting : 0),
    }),
  })
}

test('what is on its way into the queue counts as waiting, until it is there or failed', async () => {
  const context = queueOf(10, 4)
  const { promise: storage, resolve: store } = Promise.withResolvers<string>()
  const first = admitWork(5, context, () => storage)
  await expect(admitWork(2, context, async () => 'no')).rejects.toThrow(
    '9 programs are waiting, and at most 10 may wait; send it again in a moment',
  )
  expect(await admitWork(1, context, async () => 'one')).toBe('one')
  store('five')
  expect(await first).toBe('five')
  await expect(admitWork(6, context, () => Promise.reject(new Error('the store is full')))).rejects.toThrow(
    'the store is full',
  )
  expect(await admitWork(6, context, async () => 'six')).toBe('six')
  await expect(admitWork(11, context, async () => 'no')).rejects.toThrow('send smaller batches')
})

test('no more than 256 requests are on their way at once; the next hear so, and are taken when there is room', async () => {
  const context = queueOf(1_000_000)
  const { promise: storage, resolve: store } = Promise.withResolvers<void>()
  const admissions = Array.from({ length: 256 }, () => admitWork(1, context, () => storage))
  await expect(admitWork(1, context, () => storage)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('send it again in a moment'),
  })
  store()
  await Promise.all(admissions)
  expect(await admitWork(1, context, async () => 'taken')).toBe('taken')
})

test('a sweep asks again for the programs at the front of the queue, and looks at none behind them', async () => {
  const looked: string[] = []
  const sent: string[] = []
  const text = JSON.stringify(Array.from({ length: 100 }, () => ({})))
  const context = partial<ExecutionContext>({
    sessions: partial<ExecutionContext['sessions']>({ giveUpIdle: async () => undefined }),
    outcomes: partial<ExecutionContext['outcomes']>({ find: async () => null }),
    world: () => Promise.resolve(partial({})),
    send: async (_subject, { id }) => void sent.push(id),
    store: partial<ExecutionContext['store']>({
      async *unfinished() {
        for (let n = 0; n < 1000; n++) {
          looked.push(`exe_${n}`)
          yield { _id: `exe_${n}`, total: 100, createdAt: new Date(0), batch: true, text } as StoredExecution
        }
      },
    }),
  })
  await sweepExecutions(context, new AbortController().signal)
  expect(sent).toHaveLength(500)
  expect(new Set(sent).size).toBe(500)
  // The next one is looked up, and then left.
  expect(looked).toHaveLength(6)
})
