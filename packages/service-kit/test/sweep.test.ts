import { expect, test } from '@jest/globals'
import { createLog } from '../src/log.ts'
import { startSweep } from '../src/sweep.ts'

const log = createLog('test', { level: 'silent' })

test('a run that has begun may end before the sweep stops', async () => {
  const order: string[] = []
  const open = Promise.withResolvers<void>()
  const sweep = startSweep(
    async () => {
      await open.promise
      order.push('ended')
    },
    { everyMs: 10, log },
  )
  const stopped = sweep.stop(10_000).then(() => order.push('stopped'))
  open.resolve()
  await stopped
  expect(order).toEqual(['ended', 'stopped'])
})

test('a run that doesn’t end keeps nobody', async () => {
  const sweep = startSweep(() => new Promise<never>(() => {}), { everyMs: 10, log })
  await sweep.stop(20)
})
