/**
 * Somebody on the machine kills runners while they run programs: each program runs again. Where that never
 * ends, the program is at fault if known programs run to their end.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Language, Observation } from '@stateeval/contracts'
import { listDescendants } from '@stateeval/jail'
import {
  completeLimits,
  createSandbox,
  type IsolationLevel,
  type LocalSandbox,
  silent,
  type SandboxWorld,
} from '@stateeval/sandbox'
import { serve } from './served.ts'
import { killAll } from './in-jails.ts'

/** In a long run at both levels; otherwise the one where a retry takes least. */
const levels: readonly IsolationLevel[] =
  process.env['STATEEVAL_LONG'] === '1' ? ['warm-jail', 'process-jail'] : ['process-jail']
const programs: Record<Language, string> = {
  javascript: "RESULT = (await require('axios').get(BASE_URL + '/x')).data.n",
  python: "import requests\nRESULT = requests.get(BASE_URL + '/x').json()['n']",
}

/** How many requests the world answers by killing all jails. */
let kills = 0
let sandbox: LocalSandbox
let repeated = 0
const bailed: string[] = []
beforeAll(async () => {
  const telemetry = {
    ...silent,
    repeated: () => void repeated++,
    bailed: (what: string) => void bailed.push(what),
  }
  sandbox = await createSandbox({ concurrency: 1, telemetry })
})
afterAll(() => sandbox.close())

/** The outermost processes of jails, which no program can reach. */
const jails = () =>
  listDescendants(process.pid).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/comm`, 'utf8') === 'bwrap\n' && parentOf(pid) === process.pid
    } catch {
      return false
    }
  })
const parentOf = (pid: number) =>
  Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

const world: SandboxWorld = {
  id: 'killing',
  open() {
    const { channel, settled, close } = serve(async (_, response) => {
      if (kills > 0) {
        kills--
        killAll(jails())
        // An answer might still reach the program, and its RESULT the host.
        return
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"n":42}')
    })
    return Promise.resolve({
      channel,
      async observe() {
        await settled()
        return { world: { state: {}, ids: { initial: [], created: [] }, gone: [] }, log: [], faults: [] }
      },
      close: () => Promise.resolve(void close()),
    })
  },
  close: () => Promise.resolve(),
}

async function run(language: Language, level: IsolationLevel, times: number): Promise<Observation> {
  kills = times
  repeated = 0
  bailed.length = 0
  const inputs = [{ variables: {}, world: {} }]
  const program = {
    language,
    code: programs[language],
    inputs,
    world,
    limits: completeLimits({ wallMs: 100_000 }),
    level,
  }
  const [observation] = await sandbox.run(program, new AbortController().signal)
  return observation!
}

describe.each(levels)('at %s', (level) => {
  test.each(Object.keys(programs) as Language[])(
    'a runner of %s is killed once: its program runs again and gives what it gives',
    async (language) => {
      expect((await run(language, level, 1)).ending).toEqual({ status: 'completed', result: 42 })
      expect(kills).toBe(0)
      expect(repeated + bailed.length).toBe(1)
    },
  )

  test.each(Object.keys(programs) as Language[])(
    'all runners of %s are killed at its request, and those of known programs are not: it is at fault',
    async (language) => {
      const { ending } = await run(language, level, 100)
      expect(ending).toEqual({
        status: 'killed',
        by: 'requests',
        detail: expect.stringMatching(/killed from outside/),
      })
      // Each of two attempts: perhaps in a warm runner, and twice in a separate jail.
      expect(100 - kills).toBe(level === 'warm-jail' ? 6 : 4)
    },
  )
})
