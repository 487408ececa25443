/**
 * Python in real jails: ordinary programs, limits, remains of programs, and attacks of hostile ones on
 * their runner.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { until } from '@stateeval/testkit/until'
import type { ExecutionEnding, JsonValue, ExecutionLimits, Observation } from '@stateeval/contracts'
import { createFakeWorld } from '@stateeval/sandbox-suites/fakes'
import { listDescendants } from '@stateeval/jail'
import {
  completeLimits,
  createLocalSandbox,
  type IsolationLevel,
  type LocalSandbox,
} from '@stateeval/sandbox'
import {
  type ExpectedEnd,
  type OrdinaryProgram,
  pythonPrograms,
  variables,
  world as items,
} from './python-programs.ts'

const world = createFakeWorld()
let sandbox: LocalSandbox
beforeAll(async () => {
  sandbox = await createLocalSandbox({ maxIdle: 1 })
  expect(sandbox.unavailable.python).toBeUndefined()
})
afterAll(async () => {
  await sandbox.close()
  expect(world.opened()).toBe(0)
})

interface Options {
  level?: IsolationLevel
  limits?: Partial<ExecutionLimits>
  initial?: JsonValue
  on?: LocalSandbox
}

async function run(
  code: string,
  { level, limits = {}, initial = items, on = sandbox }: Options = {},
): Promise<Observation> {
  const inputs = [{ variables, world: initial }]
  const { signal } = new AbortController()
  const observations = await on.run(
    {
      language: 'python',
      code,
      inputs,
      world,
      limits: completeLimits(limits),
      ...(level !== undefined && { level }),
    },
    signal,
  )
  return observations[0]!
}
const ending = async (code: string, options?: Options): Promise<ExecutionEnding> =>
  (await run(code, options)).ending
const completed = (result: unknown) => ({ status: 'completed', result })

function expected(end: ExpectedEnd): unknown {
  if ('result' in end) return completed(end.result)
  if ('noResult' in end) return { status: 'no_result', reason: expect.stringMatching(end.noResult) }
  if ('refused' in end) {
    const { refused, ...error } = end
    return {
      status: 'refused',
      reason: refused,
      error: expect.objectContaining(error),
    }
  }
  const { message, ...rest } = end.threw
  const messageMatch =
    message instanceof RegExp
      ? { message: expect.stringMatching(message) }
      : message === undefined
        ? {}
        : { message }
  return {
    status: 'threw',
    error: expect.objectContaining({ ...rest, ...messageMatch }),
  }
}

function check({ end, output, requests }: OrdinaryProgram, observation: Observation) {
  expect(observation.ending).toEqual(expected(end))
  if (output !== undefined) expect(observation.output).toBe(output)
  if (requests)
    expect(observation.log.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual(requests)
}

for (const [group, programs] of Object.entries(pythonPrograms))
  describe(group, () => {
    test.each(programs.map((program) => [program.name, program] as const))('%s', async (_, program) =>
      check(program, await run(program.code)),
    )
  })

test('a jail of its own, and no jail at all, say the same', async () => {
  const bare = await createLocalSandbox({
    level: 'unsafe-process',
    maxIdle: 1,
  })
  const some = Object.values(pythonPrograms).map((programs) => programs[0]!)
  for (const program of some) {
    check(program, await run(program.code, { level: 'process-jail' }))
    check(program, await run(program.code, { on: bare }))
  }
  await bare.close()
})

describe('every limit has its ending', () => {
  const wall = { wallMs: 700 }
  test.each<[string, string, Partial<ExecutionLimits>, ExecutionEnding | { status: string }]>([
    ['an endless loop', 'while True: pass', wall, { status: 'timeout', limit: 'wall', afterMs: 700 }],
    ['sleep', 'import time\ntime.sleep(60)', wall, { status: 'timeout', limit: 'wall', afterMs: 700 }],
    [
      'a thread that stays',
      'import threading\nRESULT = 1\nthreading.Thread(target=threading.Event().wait).start()',
      wall,
      { status: 'timeout', limit: 'wall', afterMs: 700 },
    ],
    [
      'CPU time',
      'while True: pass',
      { cpuSeconds: 1, wallMs: 60_000 },
      { status: 'timeout', limit: 'cpu', afterMs: 1000 },
    ],
    [
      'lists',
      'a = []\nwhile True: a.append([0] * 100_000)',
      { memoryMiB: 128 },
      { status: 'killed', by: 'memory' },
    ],
    ['one large list', 'a = [0] * 10 ** 12', {}, { status: 'killed', by: 'memory' }],
    ['memory of which only a part is used', 'a = bytearray(1 << 40)', {}, { status: 'killed', by: 'memory' }],
    [
      'a flood of output',
      'while True: print("x" * 1000)',
      { outputKiB: 1 },
      { status: 'killed', by: 'output' },
    ],
    ['a large RESULT', 'RESULT = "x" * 2000', { resultKiB: 1 }, { status: 'killed', by: 'result' }],
    [
      'a RESULT that contains itself often',
      'RESULT = ["x"]\nfor _ in range(60): RESULT = [RESULT, RESULT]',
      { resultKiB: 1 },
      { status: 'killed', by: 'result' },
    ],
    [
      'requests',
      'import requests\nfor _ in range(20):\n    try: requests.get(BASE_URL + "/x")\n    except requests.RequestException: pass\nRESULT = 1',
      { requests: 10 },
      { status: 'killed', by: 'requests' },
    ],
    ['aborting itself', 'import os\nos.abort()', {}, { status: 'killed', by: 'crash' }],
    ['killing itself', 'import os\nos.kill(os.getpid(), 9)', {}, { status: 'killed', by: 'crash' }],
    ['reading where nothing is', 'import ctypes\nctypes.string_at(0)', {}, { status: 'killed', by: 'crash' }],
    ['leaving without a word', 'import os\nRESULT = 1\nos._exit(0)', {}, { status: 'no_result' }],
  ])('%s', async (_, code, limits, end) => expect(await ending(code, { limits })).toMatchObject(end))

  test('output is cut at the limit, between characters', async () => {
    const { output, ending } = await run('print("aé" * 1000)\nRESULT = 1', {
      limits: { outputKiB: 1 },
    })
    expect(ending).toEqual(completed(1))
    expect(output).toBe(`${'aé'.repeat(341)}a`)
  })
})

describe('programs that need processes or servers get them, in a jail of their own', () => {
  test.each([
    [
      'copies that share what was there',
      'import os, time\nx = bytearray(b"x") * (100 << 20)\npids = []\nfor _ in range(3):\n    pid = os.fork()\n    if pid == 0:\n        time.sleep(0.3)\n        os._exit(0)\n    pids.append(pid)\nRESULT = [os.waitpid(pid, 0)[1] for pid in pids] + [len(x) >> 20]',
      [0, 0, 0, 100],
    ],
    [
      'fork',
      'import os\npid = os.fork()\nif pid == 0:\n    os._exit(7)\nRESULT = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])',
      7,
    ],
    ['a copy that runs on to the end', 'import os\nos.fork()\nRESULT = 1', 1],
    ['a copy by the C library', 'import ctypes\nctypes.CDLL(None).fork()\nRESULT = 1', 1],
    [
      'a server by the C library',
      'import ctypes, socket\nserver = socket.socket()\nRESULT = ctypes.CDLL(None).listen(server.fileno(), 5)',
      0,
    ],
    [
      'subprocess',
      'import subprocess, sys\nRESULT = subprocess.run([sys.executable, "-c", "print(1)"], capture_output=True, text=True).stdout',
      '1\n',
    ],
    ['a shell', 'import os\nRESULT = os.system("ls") != 0', true],
    [
      'a server',
      'import json, threading\nfrom http.server import BaseHTTPRequestHandler, HTTPServer\nfrom urllib.request import urlopen\n\nclass Handler(BaseHTTPRequestHandler):\n    def do_GET(self):\n        self.send_response(200)\n        self.end_headers()\n        self.wfile.write(b"[1]")\n    def log_message(self, *_): pass\n\nserver = HTTPServer(("127.0.0.1", 0), Handler)\nthreading.Thread(target=server.serve_forever, daemon=True).start()\nRESULT = json.load(urlopen(f"http://127.0.0.1:{server.server_port}/"))',
      [1],
    ],
    [
      'a pool',
      'from multiprocessing import Pool\n\ndef f(n):\n    return n * n\n\nif __name__ == "__main__":\n    with Pool(2) as pool:\n        RESULT = pool.map(f, [1, 2, 3])',
      [1, 4, 9],
    ],
  ])('%s', async (_, code, result) => {
    const observation = await run(code)
    expect(observation.ending).toEqual(completed(result))
    expect(observation.sandbox).toBe('process-jail')
  })
  test('what they leave running ends with them', async () => {
    const code =
      'import subprocess, sys\nsubprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)\nRESULT = 1'
    expect(await ending(code)).toEqual(completed(1))
  })
})

describe('programs in one jail don’t meet', () => {
  const looks = `import builtins, json, os, requests, sys
places = [path for path in ("/tmp", "/dev/shm", "/var/tmp") if os.path.isdir(path)]
RESULT = {
    "files": [name for path in places for name in os.listdir(path)],
    "modes": [os.access(path, os.R_OK | os.W_OK | os.X_OK) for path in ("/tmp",)],
    "marks": [hasattr(module, "mark") for module in (builtins, json, os, requests, sys)],
    "names": [name for name in globals() if name.startswith("mark")],
    "environment": "MARK" in os.environ,
    "request": requests.get(BASE_URL + "/x").json(),
    "times": [time > 1e9 for time in (os.stat("/tmp").st_atime, os.stat("/tmp").st_mtime)],
    "open": [fd for fd in range(4, 200) if _is_open(fd)] if "_is_open" in globals() else [],
}`
  const clean = {
    files: [],
    modes: [true],
    marks: Array(5).fill(false),
    names: [],
    environment: false,
    request: { n: 1 },
    times: [true, true],
    open: [],
  }

  test.each([
    [
      'globals and modules',
      'import builtins, json, os, requests, sys\nfor module in (builtins, json, os, requests, sys): module.mark = 1\nmark = 1\nos.environ["MARK"] = "1"\nRESULT = 1',
    ],
    [
      'patched functions',
      'import builtins, json, os, requests\njson.dumps = json.loads = requests.get = requests.Session.request = os.write = os._exit = None\nbuiltins.len = builtins.isinstance = builtins.str = None\nRESULT = 1',
    ],
    [
      'files, deep and closed',
      'import os\nfor n in range(3000):\n    os.mkdir("d")\n    os.chdir("d")\nos.chdir("/tmp")\nos.mkdir("/tmp/closed")\nopen("/tmp/closed/x", "w").write("x")\nos.symlink("/python", "/tmp/link")\nos.chmod("/tmp/closed", 0)\nos.chmod("/tmp", 0o111)\nRESULT = 1',
    ],
    ['the times of a folder', 'import os\nos.utime("/tmp", ns=(12345, 678))\nRESULT = 1'],
    [
      'shared memory',
      'import os\nfor path in ("/dev/shm", "/var/tmp"):\n    if os.path.isdir(path) and os.access(path, os.W_OK): open(path + "/x", "w").write("x")\nRESULT = 1',
    ],
    [
      'limits and priorities of the runner',
      'import os, resource\nfor what in (lambda: resource.prlimit(1, resource.RLIMIT_NOFILE, (5, 5)), lambda: os.setpriority(os.PRIO_PROCESS, 1, 19), lambda: os.kill(1, 2), lambda: os.kill(-1, 9)):\n    try: what()\n    except OSError: pass\nRESULT = 1',
    ],
    [
      'connections that stay open',
      'import socket\nfrom urllib.parse import urlparse\naddress = urlparse(BASE_URL)\nopen_ones = [socket.create_connection((address.hostname, address.port)) for _ in range(50)]\nRESULT = 1',
    ],
  ])('%s', async (_, code) => {
    expect(await ending(code)).toEqual(completed(1))
    expect(await ending(looks)).toEqual(completed(clean))
  })

  test('nothing of one is left in the memory of the next', async () => {
    const secret = 'mark-482913-kram'
    const program = `import requests\nrequests.put(BASE_URL + "/secret", json="${secret}")\nprint("${secret}" * 100)\nRESULT = ["${secret}" + str(n) for n in range(1000)]`
    for (let n = 0; n < 3; n++) expect(await ending(program)).toMatchObject({ status: 'completed' })
    // The host looks while it sleeps, as far as the kernel lets it look: a jail shows nobody what he has.
    const sleeping = run('import time\ntime.sleep(2)\nRESULT = []')
    const inspection = await until(foundInForks)
    const observation = await sleeping
    expect(inspection).toEqual(
      process.getuid?.() === 0 ? { looked: true, marks: [] } : { looked: expect.any(Boolean), marks: [] },
    )
    expect(observation.ending).toEqual(completed([]))
    expect(observation.sandbox).toBe('warm-jail')
  })

  /** Marks of programs in all that forks of Python may write to, and so what they may read. */
  function foundInForks(): { looked: boolean; marks: string[] } | null {
    const forks = listDescendants(process.pid).filter((pid) => isFork(pid))
    if (forks.length === 0) return null
    const marks = new Set<string>()
    for (const pid of forks)
      try {
        const memory = openSync(`/proc/${pid}/mem`, 'r')
        for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8')
          .split('\n')
          .filter((line) => / rw/.test(line))) {
          const [begin, end] = line
            .split(' ')[0]!
            .split('-')
            .map((at) => Number.parseInt(at, 16)) as [number, number]
          const bytes = Buffer.alloc(end - begin)
          readSync(memory, bytes, 0, bytes.length, begin)
          for (const [mark] of bytes.toString('latin1').matchAll(/mark-[0-9]{4,8}-kram/g)) marks.add(mark)
        }
        closeSync(memory)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
        return { looked: false, marks: [] }
      }
    return { looked: true, marks: [...marks] }
  }

  const statOf = (pid: number | string) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const end = stat.lastIndexOf(')')
      return { name: stat.slice(stat.indexOf('(') + 1, end), parent: stat.slice(end + 2).split(' ')[1]! }
    } catch {
      return undefined
    }
  }
  const isFork = (pid: number) => {
    const stat = statOf(pid)
    return stat?.name.startsWith('python') === true && statOf(stat.parent)?.name === stat.name
  }

  test('each has its own world', async () => {
    const code =
      'import requests\nrequests.put(BASE_URL + "/mark", json=user_constant_0)\nRESULT = requests.get(BASE_URL + "/n").json()'
    for (const n of [1, 2, 3]) {
      const { ending, world } = await run(code, { initial: { '/n': n } })
      expect(ending).toEqual(completed(n))
      expect(world?.state).toEqual({ '/n': n, '/mark': 1 })
    }
  })
})

describe('hostile programs change their own outcome at most', () => {
  const frame = (text: string) =>
    `import os, struct\nbody = ${JSON.stringify(text)}.encode()\nos.write(3, struct.pack(">I", len(body)) + body)\n`
  test.each([
    ['noise', 'import os\nos.write(3, b"hello")\nRESULT = 1'],
    ['no outcome', `${frame('{"status":"passed"}')}os._exit(0)`],
    ['no JSON', `${frame('{{{')}os._exit(0)`],
    ['no UTF-8', 'import os\nos.write(3, b"\\0\\0\\0\\1\\xff")\nos._exit(0)'],
    ['two outcomes', `${frame('{"status":"completed","result":1}')}RESULT = 2`],
    ['a prototype key', `${frame('{"status":"completed","result":{"__proto__":1}}')}os._exit(0)`],
    ['a flood', 'import os\nwhile True: os.write(3, b"x" * (1 << 20))'],
  ])('words on the channel: %s', async (_, code) => {
    expect(await ending(code)).toMatchObject({ status: 'killed', by: 'crash' })
    expect(await ending('RESULT = 1')).toEqual(completed(1))
  })

  test.each<[string, string, unknown]>([
    [
      'the host’s files',
      'import os\nRESULT = [path for path in ("/etc/passwd", "/etc/shadow", "/home", "/root", "/usr/bin", "/bin/sh", "/var", "/sys", "/work") if os.path.exists(path)]',
      [],
    ],
    [
      'writing',
      'RESULT = []\nfor path in ("/x", "/python/x", "/runner/x", "/etc/x", "/dev/x"):\n    try: open(path, "w")\n    except OSError as error: RESULT.append(error.errno)',
      [30, 30, 30, 30, 30],
    ],
    [
      'other packages',
      'import importlib.util\nRESULT = [name for name in ("pip", "apt", "yaml", "setuptools", "stateeval_runner", "_sandboxing_egress_ca") if importlib.util.find_spec(name)]',
      [],
    ],
    [
      'the runner’s memory',
      'RESULT = []\nfor path in ("/proc/1/mem", "/proc/1/environ", "/proc/1/fd", "/proc/1/root/runner"):\n    try:\n        import os\n        os.listdir(path) if path.endswith(("fd", "runner")) else open(path, "rb").read(1)\n        RESULT.append(path)\n    except OSError: pass',
      [],
    ],
    [
      'the runner’s channel',
      'import os\nRESULT = []\nfor fd in range(4, 256):\n    try:\n        os.fstat(fd)\n        RESULT.append(fd)\n    except OSError: pass',
      [],
    ],
    [
      'tracing',
      'import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\nRESULT = [libc.ptrace(16, 1, 0, 0), libc.process_vm_readv(1, 0, 0, 0, 0, 0)]',
      [-1, -1],
    ],
    [
      'the network',
      'import socket\nRESULT = []\nfor address in (("1.1.1.1", 80), ("169.254.169.254", 80), ("127.0.0.1", 22)):\n    try:\n        socket.create_connection(address, timeout=1)\n        RESULT.append(address[0])\n    except OSError: pass',
      [],
    ],
    [
      'privileges',
      'import re\ntry:\n    status = open("/proc/self/status").read()\nexcept OSError:\n    status = "CapEff:\\t0\\nNoNewPrivs:\\t1\\nSeccomp:\\t2\\n"\nRESULT = [re.search(name + r":\\s*(\\w+)", status)[1].lstrip("0") for name in ("CapEff", "NoNewPrivs", "Seccomp")]',
      ['', '1', '2'],
    ],
    [
      'the fault of a finaliser',
      'class A:\n    def __del__(self): raise ValueError("late")\n\na = A()\nRESULT = 1',
      1,
    ],
    [
      'a hostile number',
      'class N(int):\n    def __add__(self, other): return float("nan")\n    def __repr__(self): return "nonsense"\n\nRESULT = N(1)',
      1,
    ],
    [
      'a hostile dict',
      'class D(dict):\n    def items(self): raise ValueError\n    def __iter__(self): raise ValueError\n    def __len__(self): return 0\n\nRESULT = D(a=1)',
      { a: 1 },
    ],
    [
      'a class that lies',
      'class A:\n    __class__ = dict\n\nRESULT = 1\ntry:\n    assert isinstance(A(), dict)\nexcept AssertionError: RESULT = 2',
      1,
    ],
  ])('%s', async (_, code, result) => expect(await ending(code)).toEqual(completed(result)))

  test.each([
    [
      'an error that cannot be read',
      'class E(Exception):\n    def __str__(self): raise ValueError\n\nraise E()',
      { status: 'threw', error: { name: 'E', line: 4 } },
    ],
    [
      'an object that says it is a dict',
      'class A:\n    __class__ = dict\n\nRESULT = A()',
      { status: 'no_result' },
    ],
    [
      'an exit inside of an exit',
      'import atexit, sys\natexit.register(sys.exit, 3)\nRESULT = 1\nsys.exit()',
      { status: 'completed', result: 1 },
    ],
  ])('%s', async (_, code, end) => expect(await ending(code)).toMatchObject(end))
})
