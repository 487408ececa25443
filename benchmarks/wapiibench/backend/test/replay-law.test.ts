/** Whatever is sent, this world answers the same and keeps what was sent. */
import type { CapturedRequest } from '@stateeval/contracts'
import { replayLaw } from '@stateeval/sandbox-suites/world-laws'
import fc from 'fast-check'
import { partial } from '@stateeval/testkit/partial'
import { createCaptureWorld } from '../capture-world.ts'

replayLaw('axios-capture', () => Promise.resolve(createCaptureWorld()), {
  initial: { reply: { status: 201, data: { id: 1 } } },
  entry: fc.record({ method: fc.constantFrom('get', 'post'), url: fc.webUrl(), data: fc.string() }),
  send({ channel }, request) {
    if (channel.kind !== 'capture') throw new Error('requests are not captured')
    channel.take([partial<CapturedRequest>(request)])
    return Promise.resolve(JSON.stringify(channel.reply))
  },
})
