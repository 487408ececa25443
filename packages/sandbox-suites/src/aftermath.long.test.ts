/**
 * What a program leaves in the kernel acts in no other program's world: each is followed at once by an honest
 * one in the same sandbox, which waits, then looks at its world and at all that two programs of a jail share.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Language } from '@stateeval/contracts'
import {
  completeLimits,
  createLocalSandbox,
  type IsolationLevel,
  type LocalSandbox,
} from '@stateeval/sandbox'
import { isMet } from '@stateeval/attacks'
import { aftermath, lateConnections } from '@stateeval/attacks/aftermath'
import { pooled } from './comparable.ts'
import { hasGvisor } from './gvisor.ts'
import { createSuiteWorld } from './world.ts'

const long = process.env.STATEEVAL_LONG === '1'

/** Waits as long as the kernel takes to complete a connection later, or to collect what is in a cycle. */
const seconds = long ? 0.3 : 0.1
const honest: Record<Language, string> = {
  python: `
import os, resource, signal, socket, time
import requests
signals = []
for number in (signal.SIGALRM, signal.SIGIO, signal.SIGURG, signal.SIGUSR1):
    signal.signal(number, lambda number, frame: signals.append(number))
time.sleep(${seconds})
space = os.statvfs("/tmp")
RESULT = {
    "left": requests.get(f"{BASE_URL}/left").status_code,
    "files": [os.listdir("/tmp"), os.listdir("/dev/shm"), space.f_bfree, space.f_ffree, oct(os.stat("/tmp").st_mode)],
    "limits": [resource.getrlimit(number) for number in (resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE)],
    "mask": os.umask(0o22),
    "cores": len(os.sched_getaffinity(0)),
    "signals": signals,
    "descriptors": [fd for fd in range(256) if os.path.lexists(f"/dev/fd/{fd}")],
    "user": [os.getuid(), os.getgid()],
}`,
  javascript: `
const axios = require('axios'); const fs = require('fs');
const signals = []; for (const name of ['SIGALRM', 'SIGIO', 'SIGURG']) process.on(name, () => signals.push(name));
await new Promise((resolve) => setTimeout(resolve, ${seconds * 1000}));
const left = await axios.get(BASE_URL + '/left', { validateStatus: null });
const { bfree, ffree } = fs.statfsSync('/tmp');
RESULT = { left: left.status, files: [fs.readdirSync('/tmp'), fs.readdirSync('/dev/shm'), bfree, ffree, fs.statSync('/tmp').mode], mask: process.umask(), signals, user: [process.getuid(), process.getgid()] }`,
}

let sandbox: LocalSandbox
beforeAll(async () => {
  sandbox = await createLocalSandbox({ maxIdle: 2 })
})
afterAll(() => sandbox.close())

const world = createSuiteWorld()
async function run(language: Language, code: string, limits = {}, at?: IsolationLevel) {
  const inputs = [{ variables: {}, world: {} }]
  const request = { language, code, inputs, world, limits: completeLimits({ wallMs: 60_000, ...limits }) }
  const [observation] = await sandbox.run(
    { ...request, ...(at && { level: at }) },
    new AbortController().signal,
  )
  const { ending, world: after, log, output, sandbox: level } = observation!
  return { ending, after, requests: log.map(({ method, path }) => [method, path]), output, level }
}

/** The named attack oftener: how late its connection comes varies. */
const attempts = [
  ...Array.from({ length: long ? 25 : 3 }, () => lateConnections).flat(),
  ...aftermath.filter((_, n) => long || n % 3 === 0),
]

/** At stronger levels, a program shares nothing to begin with: a few attempts are enough in a short run. */
const combinations = (['python', 'javascript'] as const).flatMap((language) => [
  { language, level: 'warm-jail' as const, tried: attempts },
  { language, level: 'process-jail' as const, tried: long ? attempts : lateConnections },
  ...(hasGvisor && long
    ? [{ language, level: 'gvisor' as const, tried: [...lateConnections, ...aftermath] }]
    : []),
])

test.each(combinations)(
  'an honest program in $language observes the same after any other as alone, $level',
  async ({ language, level, tried }) => {
    const victim = () => run(language, honest[language], {}, level)
    const alone = await victim()
    expect(alone).toMatchObject({ ending: { status: 'completed', result: { left: 404 } }, level })
    // Two at a time, each with its attacker: four runs share two runners.
    const touched = await pooled(
      tried,
      2,
      async ({ name, language: by, code, limits, expected, behindGvisor }) => {
        const attack = await run(by, code, limits, level)
        const after = await victim()
        const right = isMet(attack.ending, (level === 'gvisor' && behindGvisor) || expected)
        const problems = [
          ...(right ? [] : [attack.ending]),
          ...(JSON.stringify(after) === JSON.stringify(alone) ? [] : [after]),
        ]
        return problems.length > 0 ? { name, by, problems } : undefined
      },
    )
    expect(touched.filter(Boolean)).toEqual([])
  },
)

test.each(
  combinations.flatMap(({ language, level }) => [
    ...(level === 'warm-jail' || long ? [{ language, level, count: long ? 200 : 8 }] : []),
  ]),
)(
  '$count attackers beside $count honest programs in $language touch none, $level',
  async ({ language, level, count }) => {
    const alone = await run(language, honest[language], {}, level)
    const attackers = Array.from({ length: count }, (_, n) => {
      const { language: by, code, limits } = lateConnections[n % 2]!
      return async () => void (await run(by, code, limits, level))
    })
    const victims = Array.from(
      { length: count },
      () => async () => run(language, honest[language], {}, level),
    )
    const mixed = attackers.flatMap((attacker, n) => [attacker, victims[n]!])
    const observed = (await pooled(mixed, 8, (one) => one())).filter((one) => one !== undefined)
    expect(observed).toEqual(Array.from({ length: count }, () => alone))
  },
)
