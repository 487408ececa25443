import { expect, test } from '@jest/globals'
import { completeLimits, createSandbox, type SandboxWorld } from '@stateeval/sandbox'
import { createFakeWorld } from './fakes.ts'
import { inJails, killAll } from './in-jails.ts'
import { findMissingContainers } from '@stateeval/jail'
import { isLong } from '@stateeval/testkit/run-length'
import { sandboxLaws } from './laws.ts'

sandboxLaws('warm-jail', () => createSandbox({ level: 'warm-jail' }))
// Each program has a process of its own there, which takes longer. levels.test.ts compares all levels.
if (isLong) sandboxLaws('process-jail', () => createSandbox({ level: 'process-jail' }))
if (isLong && findMissingContainers() === undefined)
  sandboxLaws('gvisor', () => createSandbox({ level: 'gvisor' }))

test('each observation is handed over before the next input runs; what we spoiled comes last', async () => {
  const sandbox = await createSandbox({ level: 'warm-jail', concurrency: 1 })
  const fake = createFakeWorld()
  const order: string[] = []
  let spoiled = 0
  const world: SandboxWorld = {
    ...fake,
    open: (initial, limits, seed) => {
      order.push(`open ${String(initial)}`)
      if (initial === 1 && spoiled++ === 0) return Promise.reject(new Error('it hiccuped'))
      return fake.open({}, limits, seed)
    },
  }
  const inputs = [0, 1, 2].map((n) => ({ variables: { n }, world: n }))
  const program = {
    language: 'javascript',
    code: 'RESULT = n',
    inputs,
    world,
    limits: completeLimits({ wallMs: 100_000 }),
  } as const
  await sandbox.each(program, new AbortController().signal, async ({ ending }, index) => {
    await new Promise((go) => setTimeout(go, 20))
    expect(ending).toEqual({ status: 'completed', result: index })
    order.push(`take ${index}`)
  })
  expect(order).toEqual(['open 0', 'take 0', 'open 1', 'open 2', 'take 2', 'open 1', 'take 1'])
  const failing = sandbox.each(program, new AbortController().signal, () =>
    Promise.reject(new Error('it can’t be kept')),
  )
  await expect(failing).rejects.toThrow('it can’t be kept')
  expect((await sandbox.run(program, new AbortController().signal)).map(({ ending }) => ending)).toEqual(
    [0, 1, 2].map((result) => ({ status: 'completed', result })),
  )
  await sandbox.close()
})

test.each([
  ['process-jail', 'javascript'],
  ['process-jail', 'python'],
  ['warm-jail', 'javascript'],
  ['warm-jail', 'python'],
] as const)(
  'at %s, whoever kills the processes of a program in %s changes nothing of its verdict',
  async (level, language) => {
    const sandbox = await createSandbox({ level, concurrency: 1 })
    const fake = createFakeWorld()
    const code =
      language === 'javascript'
        ? "const axios = require('axios')\nawait axios.get(BASE_URL + '/x').catch(() => {})\nRESULT = 1"
        : 'import requests\ntry:\n  requests.get(BASE_URL + "/x")\nexcept Exception:\n  pass\nRESULT = 1'
    // Of a runner that forks, only the fork.
    const forks = level === 'warm-jail' && language === 'python'
    const before = new Set<number>()
    let opens = 0
    const world: SandboxWorld = {
      ...fake,
      async open(initial, limits, seed) {
        const first = opens++ === 0
        const open = await fake.open(initial, limits, seed)
        if (!first || open.channel.kind !== 'http') return open
        const { channel } = open
        // It has begun: its processes are killed where it stands.
        const accept: typeof channel.accept = (connection) => {
          killAll(
            inJails()
              .filter((pid) => !(forks && before.has(pid)))
              .reverse(),
          )
          channel.accept(connection)
        }
        return { ...open, channel: { ...channel, accept } }
      },
    }
    for (const pid of inJails()) before.add(pid)
    const program = {
      language,
      code,
      inputs: [{ variables: {}, world: {} }],
      world,
      limits: completeLimits({ wallMs: 100_000 }),
    }
    const [observation] = await sandbox.run(program, new AbortController().signal)
    expect(observation?.ending).toEqual({ status: 'completed', result: 1 })
    expect(opens).toBeGreaterThan(1)
    await sandbox.close()
  },
)

test('a run that the wall clock ended beside others, hardly computing, is repeated alone', async () => {
  const sandbox = await createSandbox({ level: 'warm-jail', concurrency: 2 })
  const fake = createFakeWorld()
  const opens = { waits: 0, computes: 0 }
  const worldOf = (name: keyof typeof opens): SandboxWorld => ({
    ...fake,
    open: (initial, limits, seed) => {
      opens[name]++
      return fake.open(initial, limits, seed)
    },
  })
  const run = (name: keyof typeof opens, code: string) =>
    sandbox.run(
      {
        language: 'javascript',
        code,
        inputs: [{ variables: {}, world: {} }],
        world: worldOf(name),
        limits: completeLimits({ wallMs: 500 }),
      },
      new AbortController().signal,
    )
  const timeout = { status: 'timeout', limit: 'wall', afterMs: 500 }
  const [waits, computes] = await Promise.all([
    run('waits', 'setInterval(() => {}, 50)'),
    run('computes', 'for (;;);'),
  ])
  expect([waits[0]!.ending, computes[0]!.ending]).toEqual([timeout, timeout])
  // Whether the other one computed enough is up to the machine.
  expect(opens.waits).toBe(2)
  await run('waits', 'setInterval(() => {}, 50)')
  expect(opens.waits).toBe(3)
  await sandbox.close()
})
