/** The time that an endpoint takes for an answer. */
import { expect, test } from '@jest/globals'
import { partial } from '../../testkit/src/partial.ts'
import type { ModelAttempt, NamedModel } from '../src/request.ts'
import { measured } from '../src/wrappers/measured.ts'

const done: ModelAttempt = {
  status: 'done',
  text: '',
  finish: 'stop',
  usage: { requests: 1, promptTokens: 0, completionTokens: 0 },
}
const failed: ModelAttempt = { status: 'transient', reason: 'busy' }

test.each([
  [done, [1000.2, 1042.6], { ...done, ms: 42 }],
  // A clock that is set back.
  [done, [1000, 999], { ...done, ms: 0 }],
  [failed, [1000, 2000], failed],
])('%j from %j', async (ending, times, measuredEnding) => {
  const ask = measured(
    async () => ending,
    () => times.shift()!,
  )
  const model = partial<NamedModel>({ name: 'x' })
  expect(await ask(model, { messages: [] }, new AbortController().signal)).toEqual(measuredEnding)
})
