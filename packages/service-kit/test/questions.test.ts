/** Questions between services: answered at once by one of those that can, or by nobody. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { questions } from '@stateeval/contracts'
import { namespace, type Servers, startServers } from '@stateeval/testkit'
import { openBus } from '../src/bus/index.ts'
import { createLog } from '../src/index.ts'

let servers: Servers
beforeAll(async () => {
  servers = await startServers()
})
afterAll(() => servers?.stop())

test('one of several answers; with patience also somebody who comes later; of another namespace nobody does', async () => {
  const ns = namespace()
  const open = (of = ns) =>
    openBus({
      nats: { url: servers.natsUrl },
      namespace: of,
      name: 'test',
      log: createLog('test', { level: 'silent' }),
    })
  const [asker, one, two, stranger] = [open(), open(), open(), open(namespace())]
  try {
    // Not even connected.
    expect(await asker.ask(questions.worlds)).toBeUndefined()
    await Promise.all([asker, one, two, stranger].map((bus) => bus.ready()))
    stranger.answer(questions.worlds, () => 'not meant')
    expect(await asker.ask(questions.worlds)).toBeUndefined()
    const patient = asker.ask(questions.worlds, 20_000)
    let count = 0
    one.answer(questions.worlds, () => ({ by: 'one', count: ++count }))
    expect(await patient).toEqual({ by: 'one', count: 1 })
    two.answer(questions.worlds, () => ({ by: 'two', count: ++count }))
    const answers = await Promise.all(Array.from({ length: 20 }, () => asker.ask(questions.worlds)))
    expect(count).toBe(21)
    expect(answers.every((answer) => /one|two/.test((answer as { by: string }).by))).toBe(true)
    // What answers anew replaces its own answer, and one that fails leaves the question open.
    await two.close()
    one.answer(questions.worlds, () => 'new')
    expect(await asker.ask(questions.worlds)).toBe('new')
  } finally {
    await Promise.all([asker, one, two, stranger].map((bus) => bus.close()))
  }
})
