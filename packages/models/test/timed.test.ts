/** A request's time and its caller's signal in one. */
import { expect, test } from '@jest/globals'
import { startTimer } from '../src/timed.ts'

test('it ends with the time, with the caller, and not after it was cleared', async () => {
  const caller = new AbortController()
  const late = startTimer(caller.signal, 5)
  await new Promise((resolve) => late.signal.addEventListener('abort', resolve))
  expect([late.late, (late.signal.reason as Error).name]).toEqual([true, 'TimeoutError'])
  const [stopped, cleared] = [startTimer(caller.signal, 60_000), startTimer(caller.signal, 60_000)]
  cleared.clear()
  caller.abort('gone')
  expect([stopped.signal.aborted, stopped.signal.reason, stopped.late]).toEqual([true, 'gone', false])
  expect(cleared.signal.aborted).toBe(false)
  expect(startTimer(caller.signal, 60_000).signal.aborted).toBe(true)
})
