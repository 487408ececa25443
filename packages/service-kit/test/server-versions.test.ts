import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createServerChecks } from '../src/server-checks.ts'
import { findOldVersion } from '../src/server-versions.ts'

const number = fc.nat({ max: 30 })

test('what is older than the oldest version is named, the rest is not', () => {
  fc.assert(
    fc.property(number, number, number, (major, minor, patch) => {
      const version = `${major}.${minor}.${patch}`
      expect(findOldVersion('NATS', version) !== null).toBe(major < 2 || (major === 2 && minor < 10))
      expect(findOldVersion('MongoDB', version) !== null).toBe(major < 7)
    }),
  )
  for (const version of ['2.10.0', 'v2.12.0-RC.1', '2.10', 'unknown', ''])
    expect(findOldVersion('NATS', version)).toBeNull()
})

test('a service is not ready with an old NATS server, and says why', async () => {
  const work = () => Promise.resolve()
  const ready = (version: string) =>
    createServerChecks(
      {
        mongo: { ping: work, probe: work },
        bus: { connected: true, version: () => version, probe: work },
      },
      [],
    ).nats()
  await expect(ready('2.10.0')).resolves.toBeUndefined()
  await expect(ready('2.9.25')).rejects.toThrow('NATS 2.9.25 is older than 2.10')
})
