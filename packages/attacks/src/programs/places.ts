/**
 * Programs that search the host for origins and earlier programs: paths, mounts, command lines, connections.
 */
import { type AttackProgram, completes, javascript, nothing, python } from '../attack.ts'

/** Parts of paths that only the host has. */
const host = `const tells = (text) => [canary.folder, canary.source.replace(/\\/packages\\/.*/, ''), 'node_modules', 'stateeval-sandbox', '/usr/lib/python3', 'dist-packages', 'site-packages', '.pyenv', '/home/', '/root/', '/work/'].filter((part) => String(text).includes(part));`
const read = `const fs = require('fs'); const read = (path) => { try { return fs.readFileSync(path, 'latin1') } catch { return '' } };`
const pyTells = `
import os, sys
def tells(text):
    checkout = canary["source"].split("/packages/")[0]
    parts = [canary["folder"], checkout, "node_modules", "stateeval-sandbox", "/usr/lib/python3", "dist-packages", "site-packages", ".pyenv", "/home/", "/root/", "/work/"]
    # Where the jail has its own Python says nothing of the host.
    text = " ".join(word for word in str(text).split() if not word.startswith("/python/"))
    return [part for part in parts if part in text]
def read(path):
    try:
        return open(path, "rb").read(1 << 20).decode("latin1")
    except OSError:
        return ""
`
const formatNames = (...names: string[]) => JSON.stringify(names)
const inProc = ['self', '1', 'thread-self', 'self/task/1', '2', '3'].flatMap((who) =>
  ['mountinfo', 'mounts', 'mountstats'].map((name) => `/proc/${who}/${name}`),
)
const nets = ['tcp', 'tcp6', 'udp', 'unix', 'sockstat', 'netstat', 'snmp', 'route', 'arp'].flatMap((name) =>
  ['/proc/net', '/proc/self/net', '/proc/1/net'].map((folder) => `${folder}/${name}`),
)
/** Where a new pseudo-terminal, or one of another process, would be opened. */
const terminals = ['/dev/ptmx', '/dev/pts/ptmx', '/dev/pts/0', '/dev/tty', '/dev/console']

export const places: readonly AttackProgram[] = [
  javascript(
    'mounts',
    `${host} ${read} RESULT = ${formatNames(...inProc, '/proc/mounts', '/etc/mtab')}.flatMap((path) => tells(read(path)))`,
    nothing,
  ),
  javascript(
    'mounts of each thread',
    `${host} ${read} const list = (path) => { try { return fs.readdirSync(path) } catch { return [] } }; RESULT = list('/proc/self/task').flatMap((tid) => tells(read('/proc/self/task/' + tid + '/mountinfo')))`,
    nothing,
  ),
  javascript(
    'mounts as a child sees them',
    `${host} const { spawnSync } = require('child_process'); const { stdout } = spawnSync(process.execPath, ['-p', 'try { require("fs").readFileSync("/proc/self/mountinfo", "utf8") } catch { "" }']); RESULT = tells(stdout ?? '')`,
    nothing,
  ),
  javascript(
    'mounts as a worker sees them',
    `${host} const { Worker } = require('worker_threads'); RESULT = tells(await new Promise((done) => { const worker = new Worker('const fs = require("fs"); let text = ""; for (const path of ["/proc/self/mountinfo", "/proc/thread-self/mountinfo"]) try { text += fs.readFileSync(path, "utf8") } catch {} require("worker_threads").parentPort.postMessage(text)', { eval: true }); worker.on('message', done); worker.on('error', () => done('')) }))`,
    nothing,
  ),
  javascript(
    'its own words',
    `${host} RESULT = tells(JSON.stringify([process.argv, process.argv0, process.execArgv, process.execPath, process.title, process.cwd()]))`,
    nothing,
  ),
  javascript('its environment', `${host} RESULT = tells(JSON.stringify(process.env))`, nothing),
  javascript(
    'command lines',
    `${host} ${read} RESULT = ${formatNames('/proc/self/cmdline', '/proc/1/cmdline', '/proc/2/cmdline', '/proc/self/environ', '/proc/1/environ')}.flatMap((path) => tells(read(path)))`,
    nothing,
  ),
  javascript(
    'maps of memory',
    `${host} ${read} RESULT = ${formatNames('/proc/self/maps', '/proc/self/smaps', '/proc/self/numa_maps', '/proc/1/maps')}.flatMap((path) => tells(read(path)))`,
    nothing,
  ),
  javascript(
    'where links lead',
    `${host} const fs = require('fs'); RESULT = ${formatNames('/proc/self/exe', '/proc/self/cwd', '/proc/self/root', '/proc/1/exe', '/proc/1/cwd', '/bin/node', '/runner', '/etc/hosts')}.flatMap((path) => { let text = ''; try { text += fs.readlinkSync(path) } catch {} try { text += fs.realpathSync(path) } catch {} return tells(text) })`,
    nothing,
  ),
  javascript(
    'control groups',
    `${host} ${read} RESULT = ${formatNames('/proc/self/cgroup', '/proc/1/cgroup', '/proc/self/cpuset')}.flatMap((path) => [...tells(read(path)), ...(/stateeval-|docker|kubepods/.test(read(path)) ? [path] : [])])`,
    nothing,
  ),
  javascript(
    'a report',
    `${host} const { header, sharedObjects, environmentVariables } = process.report.getReport(); RESULT = tells(JSON.stringify([header.commandLine, header.cwd, sharedObjects, environmentVariables]))`,
    nothing,
  ),
  javascript(
    'stacks and modules',
    `${host} Error.stackTraceLimit = 1000; const paths = [new Error().stack, require.main?.filename, module?.paths, require('module').globalPaths, require.resolve?.paths?.('x')]; RESULT = tells(JSON.stringify(paths)).filter((part) => part !== 'node_modules')`,
    nothing,
  ),
  javascript(
    'errors that name files',
    `${host} const fs = require('fs'); const texts = []; for (const work of [() => process.dlopen({ exports: {} }, '/nowhere.node'), () => fs.readFileSync('/runner/nowhere'), () => fs.writeFileSync('/bin/node', ''), () => fs.readdirSync('/bin/node')]) try { work() } catch (error) { texts.push(error.message, error.stack) } RESULT = tells(texts.join())`,
    nothing,
  ),
  javascript(
    'the runner’s files',
    `${host} ${read} const list = (path) => { try { return fs.readdirSync(path, { recursive: true }).map((name) => path + '/' + name) } catch { return [] } }; RESULT = list('/runner').flatMap((path) => [canary.folder, canary.source.replace(/\\/packages\\/.*/, '')].filter((part) => read(path).includes(part)).map((part) => path + ' ' + part))`,
    nothing,
  ),
  javascript(
    'what is at the root',
    `const fs = require('fs'); RESULT = fs.readdirSync('/').filter((name) => !['bin', 'dev', 'etc', 'lib', 'lib64', 'proc', 'runner', 'sys', 'tmp', 'usr', 'world', 'python'].includes(name))`,
    nothing,
  ),
  javascript(
    'file systems and disks',
    `${host} ${read} RESULT = ${formatNames('/proc/partitions', '/proc/diskstats', '/proc/swaps', '/proc/self/io')}.flatMap((path) => tells(read(path))).concat(['/dev/vda', '/dev/sda', '/dev/nvme0n1', '/dev/disk'].filter((path) => fs.existsSync(path)))`,
    nothing,
  ),
  javascript(
    'connections of others',
    `${read} RESULT = ${formatNames(...nets)}.flatMap((path) => read(path).split('\\n').filter((line) => / 06 /.test(line.slice(0, 60))))`,
    nothing,
  ),
  javascript(
    'interfaces',
    `const all = require('os').networkInterfaces(); RESULT = Object.keys(all).filter((name) => name !== 'lo')`,
    nothing,
  ),
  javascript(
    'users and names of the host',
    `const os = require('os'); RESULT = []; if (!['jail', 'localhost'].includes(os.hostname())) RESULT.push(os.hostname()); try { const { username, homedir } = os.userInfo(); if (username !== 'nobody' || !['/tmp', '/nonexistent', '/'].includes(homedir)) RESULT.push(username, homedir) } catch {}`,
    nothing,
  ),

  python(
    'mounts',
    `${pyTells}\nRESULT = [part for path in ${formatNames(...inProc, '/proc/mounts', '/etc/mtab')} for part in tells(read(path))]`,
    nothing,
  ),
  python(
    'mounts of each thread',
    `import threading\n${pyTells}\nRESULT = []\ndef look():\n    for path in ["/proc/thread-self/mountinfo", "/proc/self/task/%d/mountinfo" % threading.get_native_id()]:\n        RESULT.extend(tells(read(path)))\nthread = threading.Thread(target=look)\nthread.start()\nthread.join()`,
    nothing,
  ),
  python(
    'its own words',
    `${pyTells}\nRESULT = tells([sys.argv, sys.orig_argv, sys.executable, sys._base_executable if hasattr(sys, "_base_executable") else "", sys.warnoptions, sys._xoptions])`,
    nothing,
  ),
  python(
    'its path and prefixes',
    `${pyTells}\nRESULT = tells([sys.path, sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix, sys.platlibdir, list(sys.path_importer_cache), os.getcwd()])`,
    nothing,
  ),
  python(
    'files of its modules',
    `${pyTells}\nimport requests\nRESULT = sorted({part for module in list(sys.modules.values()) for part in tells([getattr(module, "__file__", ""), getattr(module, "__path__", ""), getattr(getattr(module, "__spec__", None), "origin", "")])})`,
    nothing,
  ),
  python(
    'code of its modules',
    `${pyTells}\nimport types, requests\nRESULT = sorted({part for module in list(sys.modules.values()) for value in list(vars(module).values()) if isinstance(value, types.FunctionType) for part in tells(value.__code__.co_filename)})`,
    nothing,
  ),
  python(
    'tracebacks of libraries',
    `${pyTells}\nimport traceback, requests\nRESULT = []\ntry:\n    requests.get("http://nowhere.invalid/", timeout=0.2)\nexcept Exception:\n    RESULT = tells(traceback.format_exc())`,
    nothing,
  ),
  python(
    'command lines',
    `${pyTells}\nRESULT = [part for pid in ["self", "1", "2", str(os.getppid())] for name in ["cmdline", "environ", "maps"] for part in tells(read(f"/proc/{pid}/{name}"))]`,
    nothing,
  ),
  python(
    'words of the C library',
    `${pyTells}\nimport ctypes\nargc = ctypes.c_int()\nargv = ctypes.POINTER(ctypes.c_wchar_p)()\nctypes.pythonapi.Py_GetArgcArgv(ctypes.byref(argc), ctypes.byref(argv))\nRESULT = tells([argv[n] for n in range(argc.value)])`,
    nothing,
  ),
  python(
    'libraries that are loaded',
    `${pyTells}\nimport ctypes, _ctypes\nclass Info(ctypes.Structure):\n    _fields_ = [("address", ctypes.c_void_p), ("name", ctypes.c_char_p)]\nnames = []\n@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Info), ctypes.c_size_t, ctypes.c_void_p)\ndef take(info, size, data):\n    names.append((info.contents.name or b"").decode())\n    return 0\nctypes.CDLL(None).dl_iterate_phdr(take, None)\nRESULT = tells(names)`,
    nothing,
  ),
  python(
    'where links lead',
    `${pyTells}\nRESULT = []\nfor path in ["/proc/self/exe", "/proc/self/cwd", "/proc/1/exe", "/python/bin/python3", "/runner", sys.path[-1]]:\n    for ask in (os.readlink, os.path.realpath):\n        try:\n            RESULT += tells(ask(path))\n        except OSError:\n            pass`,
    nothing,
  ),
  python(
    'an earlier program’s connections',
    `${pyTells}\nRESULT = [line for path in ${formatNames(...nets)} for line in read(path).split("\\n") if " 06 " in line[:60]]`,
    nothing,
  ),
  python(
    'connections by netlink',
    `import socket, struct\nRESULT = []\ntry:\n    s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 4)\n    s.settimeout(0.5)\n    s.send(struct.pack("=LHHLL", 72, 20, 0x301, 1, 0) + struct.pack("=BBBBL", 2, 6, 0, 0, 0xffffffff) + b"\\0" * 48)\n    data = s.recv(65536)\n    if struct.unpack("=LHHLL", data[:16])[1] == 20:\n        RESULT.append("told")\nexcept OSError:\n    pass`,
    nothing,
  ),
  python(
    'processes of others',
    `import os\nRESULT = []\ntry:\n    mine = {1, os.getpid(), os.getppid()}\n    RESULT = [name for name in os.listdir("/proc") if name.isdigit() and int(name) not in mine and int(name) > 20]\nexcept OSError:\n    pass`,
    nothing,
  ),
  python(
    'what is at the root',
    `import os\nknown = {"bin", "dev", "etc", "lib", "lib64", "proc", "python", "runner", "sys", "tmp", "usr", "world", "x86_64-linux-gnu"}\nRESULT = [name for name in os.listdir("/") if name not in known]`,
    nothing,
  ),
  javascript(
    'terminals',
    `const fs = require('fs'); RESULT = ${formatNames(...terminals)}.filter((path) => { try { fs.openSync(path, 'r+'); return true } catch { return false } })`,
    nothing,
    undefined,
    completes,
  ),
  python(
    'terminals',
    `import os\nRESULT = []\nfor path in ${formatNames(...terminals)}:\n    try:\n        os.open(path, os.O_RDWR)\n        RESULT.append(path)\n    except OSError:\n        pass\ntry:\n    RESULT.append(os.openpty())\nexcept OSError:\n    pass`,
    nothing,
    undefined,
    completes,
  ),
]
