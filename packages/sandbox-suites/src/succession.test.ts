/**
 * Two hostile programs, one after the other in one warm runner: the second finds nothing that the first left
 * in what both inherit, and pays for nothing that was meant for the first. And two beside one another.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { JsonValue, Language } from '@stateeval/contracts'
import { listDescendants } from '@stateeval/jail'
import { completeLimits, createLocalSandbox, type LocalSandbox, type SandboxWorld } from '@stateeval/sandbox'
import { createCallsWorld } from './calls/fake-calls.ts'
import { createSuiteWorld } from './world.ts'

let sandbox: LocalSandbox
beforeAll(async () => {
  sandbox = await createLocalSandbox({ maxIdle: 1 })
})
afterAll(() => sandbox.close())

async function run(language: Language, code: string, world: SandboxWorld) {
  const inputs = [{ variables: {}, world: {} }]
  const request = { language, code, inputs, world, limits: completeLimits({ wallMs: 60_000 }) }
  const [observation] = await sandbox.run(request, new AbortController().signal)
  const { ending, sandbox: level } = observation!
  return { ending, level }
}
const completed = (result: JsonValue) => ({ ending: { status: 'completed', result }, level: 'warm-jail' })

/** Each looks, then leaves what it can. */
const flags: Partial<Record<Language, string>> = {
  javascript: `const addon = { exports: {} }; process.dlopen(addon, '/bin/linux.node'); const lib = addon.exports.load(null);
const call = (signature, ...args) => lib.func(signature)(...args); const { lstatSync, utimesSync } = require('fs');
const on = Buffer.from([1, 0, 0, 0]); const option = Buffer.alloc(4); const length = Buffer.from([4, 0, 0, 0]); RESULT = [];
for (const fd of [0, 1, 2, 4]) { RESULT.push(call('int fcntl(int, int, int)', fd, 3, 0) & 0o26000); call('int fcntl(int, int, int)', fd, 4, 0o26002);
  call('int getsockopt(int, int, int, void *, void *)', fd, 1, 9, option, length); RESULT.push(option[0]); call('int setsockopt(int, int, int, void *, int)', fd, 1, 9, on, 4) }
for (const path of ['/tmp', '/dev/shm', '/dev/pts']) { RESULT.push(lstatSync(path).mtimeMs === 4711000 || lstatSync(path).atimeMs === 4711000); try { utimesSync(path, 4711, 4711) } catch {} }`,
  python: `import fcntl, os, socket
RESULT = []
for fd in (0, 1, 2, 3):
    RESULT.append(fcntl.fcntl(fd, fcntl.F_GETFL) & 0o26000)
    fcntl.fcntl(fd, fcntl.F_SETFL, 0o26002)
    if fd:
        shared = socket.socket(fileno=os.dup(fd))
        RESULT.append(shared.getsockopt(1, 9))
        shared.setsockopt(1, 9, 1)
for fd in (1, 2, 3):
    fcntl.fcntl(fd, fcntl.F_SETFL, os.O_RDWR)
for path in ("/tmp", "/dev/shm", "/dev/pts"):
    RESULT.append(4711 in (os.stat(path).st_mtime, os.stat(path).st_atime))
    try:
        os.utime(path, (4711, 4711))
    except OSError:
        pass`,
}

test.each(Object.entries(flags) as [Language, string][])(
  'flags, options and times of what %s programs share are none that a program chose',
  async (language, code) => {
    const none = Array.from({ length: language === 'python' ? 7 : 8 }, () => 0)
    const expected = completed([...none, false, false, false])
    for (let turn = 0; turn < 3; turn++)
      expect(await run(language, code, createSuiteWorld())).toEqual(expected)
  },
)

test('locks that would outlive a program are made in a separate jail only', async () => {
  const lock = {
    flock: 'fcntl.flock(1, fcntl.LOCK_EX)',
    ofd: "fcntl.fcntl(0, 37, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, 4711, 1, 0))",
  }
  for (const made of Object.values(lock))
    expect((await run('python', `import fcntl, struct\n${made}\nRESULT = 1`, createSuiteWorld())).level).toBe(
      'process-jail',
    )
  const file = `import fcntl, os\nwith open("/tmp/x", "w") as file:\n    fcntl.lockf(file, fcntl.LOCK_EX)\nos.remove("/tmp/x")\nRESULT = 1`
  expect(await run('python', file, createSuiteWorld())).toEqual(completed(1))
})

test('a runner whose program left replies unread serves no other', async () => {
  const world = createCallsWorld()
  const three = () => run('javascript', 'RESULT = await echo(3)', world)
  expect(await three()).toEqual(completed(3))
  const runners = listDescendants(process.pid)
  const leaving = `for (let n = 0; n < 16; n++) call('long', 500000); const end = Date.now() + 300; while (Date.now() < end); RESULT = 1; process.exit(0)`
  expect(await run('javascript', leaving, world)).toEqual(completed(1))
  const still = new Set(listDescendants(process.pid))
  // bubblewrap twice, and the process that forks.
  expect(runners.filter((pid) => !still.has(pid)).length).toBeGreaterThanOrEqual(3)
  expect(await three()).toEqual(completed(3))
})

test('descriptors on their way in sockets keep no other jail from starting', async () => {
  const holding = `import array, resource, socket, time
kept = []
error = None
try:
    for _ in range(20):
        pair = socket.socketpair()
        kept.extend(pair)
        pair[0].sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0] * 253))])
except OSError as refused:
    error = refused.errno
time.sleep(2)
RESULT = [error, resource.getrlimit(resource.RLIMIT_NOFILE)[1]]`
  const limit = `import resource\nimport socket\nsocket.socket().bind(("127.0.0.1", 0))\nRESULT = resource.getrlimit(resource.RLIMIT_NOFILE)[1]`
  const world = createSuiteWorld()
  expect((await run('javascript', 'RESULT = 1', world)).level).toBe('warm-jail')
  const held = run('python', holding, world)
  await new Promise((resolve) => setTimeout(resolve, 500))
  const spawning = `RESULT = String(require('child_process').execFileSync('/bin/node', ['-p', 'const { openSync } = require("fs"); let n = 0; try { for (;;) { openSync("/dev/null"); n++ } } catch (error) { error.code + (n < 256) }'])).trim()`
  expect(await run('javascript', spawning, world)).toEqual({
    ending: { status: 'completed', result: 'EMFILEtrue' },
    level: 'process-jail',
  })
  expect((await run('python', limit, world)).ending).toEqual({ status: 'completed', result: 256 })
  // ETOOMANYREFS
  expect(await held).toEqual({ ...completed([109, 256]), level: 'process-jail' })
})
