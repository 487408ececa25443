import { expect, test } from '@jest/globals'
import { fastify } from 'fastify'
import { onOver } from './over.ts'

test('however many ask, a response has one listener, and each of them is told once', async () => {
  const counts: number[] = []
  const told: (readonly [who: number, url: string, status: number])[] = []
  for (const askers of [1, 12]) {
    const app = fastify()
    for (let who = 0; who < askers; who++)
      onOver(app, ({ url }, _, status) => void told.push([who, url, status]))
    app.get('/', (_, reply) => {
      counts.push(reply.raw.listenerCount('close') + reply.raw.listenerCount('finish'))
      return 'answered'
    })
    await app.inject('/')
    await app.close()
  }
  expect(counts[1]).toBe(counts[0])
  expect(told).toEqual([0, ...Array(12).keys()].map((who) => [who, '/', 200]))
})
