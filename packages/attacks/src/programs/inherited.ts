/**
 * Descriptors that were never meant for a program: of whoever started the service, of the service, of the
 * runner.
 */
import { type AttackProgram, anyEnd, javascript, nothing, python } from '../attack.ts'

/** Numbers of all that may be open, far beyond the limit that holds for what is opened later. */
const maxDescriptors = 70_000
const all = `const fs = require('fs'); const open = []; for (let fd = 0; fd < ${maxDescriptors}; fd++) try { open.push([fd, fs.fstatSync(fd)]) } catch {}`
const pyAll = `import os, stat, fcntl, socket
def opened():
    found = []
    for fd in range(${maxDescriptors}):
        try:
            found.append((fd, os.fstat(fd).st_mode))
        except OSError:
            pass
    return found
`

export const inherited: readonly AttackProgram[] = [
  javascript(
    'a file among all descriptors',
    `${all} RESULT = open.filter(([, kind]) => kind.isFile()).map(([fd]) => fd)`,
    nothing,
  ),
  javascript(
    'a folder among all descriptors',
    `${all} RESULT = open.filter(([, kind]) => kind.isDirectory()).map(([fd]) => fd)`,
    nothing,
  ),
  javascript(
    'a device that isn’t /dev/null',
    `${all} const nothing_ = fs.statSync('/dev/null').rdev; RESULT = open.filter(([fd, kind]) => fd > 0 && ((kind.isCharacterDevice() && kind.rdev !== nothing_) || kind.isBlockDevice())).map(([fd]) => fd)`,
    nothing,
  ),
  javascript(
    'bytes of any descriptor',
    `${all} RESULT = open.filter(([, kind]) => !kind.isFIFO() && !kind.isSocket()).flatMap(([fd]) => { try { const bytes = Buffer.alloc(64); return fs.readSync(fd, bytes, 0, 64, 0) > 0 ? [fd] : [] } catch { return [] } })`,
    nothing,
  ),
  javascript(
    'writes to any file that is open',
    `${all} RESULT = open.filter(([, kind]) => kind.isFile()).flatMap(([fd]) => { try { fs.writeSync(fd, 'attack'); return [fd] } catch { return [] } })`,
    nothing,
  ),
  javascript(
    'truncates any file that is open',
    `${all} RESULT = open.filter(([, kind]) => kind.isFile() || kind.isDirectory()).flatMap(([fd]) => { try { fs.ftruncateSync(fd, 0); return [fd] } catch { return [] } })`,
    nothing,
  ),
  javascript(
    'changes the mode of what is open',
    `${all} RESULT = open.filter(([, kind]) => kind.isFile() || kind.isDirectory()).flatMap(([fd]) => { try { fs.fchmodSync(fd, 0o777); return [fd] } catch { return [] } })`,
    nothing,
  ),
  javascript(
    'opens what others have open by /proc and /dev/fd',
    `${all} RESULT = ['/proc/self/fd', '/proc/1/fd', '/dev/fd', '/proc/thread-self/fd'].flatMap((folder) => { try { return fs.readdirSync(folder).flatMap((fd) => { try { const bytes = fs.openSync(folder + '/' + fd, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK); return fs.fstatSync(bytes).isFile() ? [folder + '/' + fd] : [] } catch { return [] } }) } catch { return [] } })`,
    nothing,
  ),
  javascript(
    'names of what is open',
    `${all} RESULT = open.flatMap(([fd]) => { try { const name = fs.readlinkSync('/proc/self/fd/' + fd); return name.startsWith('/') && !/^\\/(dev|proc)\\//.test(name) ? [name] : [] } catch { return [] } })`,
    nothing,
  ),
  javascript(
    'a listening socket among all descriptors',
    `${all} const net = require('net'); RESULT = []; for (const [fd, kind] of open) if (fd > 4 && kind.isSocket()) await new Promise((done) => { try { const server = net.createServer(() => {}); server.on('error', done); server.listen({ fd }, () => { RESULT.push(fd); server.close(done) }) } catch { done() } })`,
    nothing,
  ),
  javascript(
    'a connection among all descriptors',
    `${all} const net = require('net'); RESULT = open.filter(([fd, kind]) => fd > 4 && kind.isSocket()).flatMap(([fd]) => { try { const socket = new net.Socket({ fd }); return socket.remoteAddress ? [socket.remoteAddress] : [] } catch { return [] } })`,
    nothing,
  ),
  javascript(
    'passes all descriptors to a child',
    `${all} const { spawnSync } = require('child_process'); const files = open.filter(([, kind]) => kind.isFile() || kind.isDirectory()).map(([fd]) => fd); RESULT = files.map((fd) => spawnSync(process.execPath, ['-e', 'process.exit(0)'], { stdio: ['ignore', fd, 'ignore'] }).status)`,
    nothing,
  ),
  javascript(
    'what a child of its own inherits',
    `const { spawnSync } = require('child_process'); const code = "const fs = require('fs'); const found = []; for (let fd = 3; fd < 5000; fd++) try { const kind = fs.fstatSync(fd); if (kind.isFile() || kind.isDirectory()) found.push(fd) } catch {} console.log(JSON.stringify(found))"; const { stdout } = spawnSync(process.execPath, ['-e', code]); RESULT = stdout && String(stdout) ? JSON.parse(String(stdout)) : []`,
    nothing,
  ),
  javascript(
    'what a worker inherits',
    `const { Worker } = require('worker_threads'); RESULT = await new Promise((done) => { const worker = new Worker("const fs = require('fs'); const found = []; for (let fd = 0; fd < 5000; fd++) try { const kind = fs.fstatSync(fd); if (kind.isFile() || kind.isDirectory()) found.push(fd) } catch {} require('worker_threads').parentPort.postMessage(found)", { eval: true }); worker.on('message', done); worker.on('error', () => done([])) })`,
    nothing,
  ),
  javascript(
    'fills the table and looks what is left',
    `const fs = require('fs'); const mine = new Set(); try { for (;;) mine.add(fs.openSync('/dev/null', 'r')) } catch {} RESULT = []; for (let fd = 0; fd < ${maxDescriptors}; fd++) if (!mine.has(fd)) try { const kind = fs.fstatSync(fd); if (kind.isFile() || kind.isDirectory()) RESULT.push(fd) } catch {}`,
    nothing,
  ),
  javascript(
    'copies files through descriptors',
    `${all} RESULT = open.filter(([fd, kind]) => fd > 4 && kind.isFile()).flatMap(([fd]) => { try { fs.copyFileSync('/proc/self/fd/' + fd, '/tmp/copy'); return [fs.readFileSync('/tmp/copy', 'latin1').slice(0, 100)] } catch { return [] } })`,
    nothing,
  ),
  javascript(
    'talks on each pipe and socket',
    `${all} for (const [fd, kind] of open) if (fd > 5 && (kind.isSocket() || kind.isFIFO())) try { fs.writeSync(fd, Buffer.from([0, 0, 0, 1, 0x7b])) } catch {} RESULT = []`,
    anyEnd,
  ),
  javascript(
    'closes all descriptors',
    `const fs = require('fs'); for (let fd = 5; fd < 300; fd++) try { fs.closeSync(fd) } catch {} RESULT = 1`,
    anyEnd,
    { wallMs: 2000 },
  ),

  python(
    'a file or folder among all descriptors',
    `${pyAll}\nRESULT = [fd for fd, mode in opened() if stat.S_ISREG(mode) or stat.S_ISDIR(mode)]`,
    nothing,
  ),
  python(
    'anything beside what a program has',
    `${pyAll}\nRESULT = [fd for fd, _ in opened() if fd > 3]`,
    nothing,
  ),
  python(
    'bytes of any descriptor',
    `${pyAll}\nRESULT = []\nfor fd, mode in opened():\n    try:\n        if os.pread(fd, 10, 0):\n            RESULT.append(fd)\n    except OSError:\n        pass`,
    nothing,
  ),
  python(
    'writes to any file that is open',
    `${pyAll}\nRESULT = []\nfor fd, mode in opened():\n    if stat.S_ISREG(mode):\n        try:\n            os.write(fd, b"attack")\n            RESULT.append(fd)\n        except OSError:\n            pass`,
    nothing,
  ),
  python(
    'truncates what is open',
    `${pyAll}\nRESULT = []\nfor fd, mode in opened():\n    try:\n        os.ftruncate(fd, 0)\n        RESULT.append(fd)\n    except OSError:\n        pass`,
    nothing,
  ),
  python(
    'goes up from a folder that is open',
    `${pyAll}\nRESULT = []\nfor fd in range(${maxDescriptors}):\n    try:\n        other = os.open("..", os.O_RDONLY | os.O_DIRECTORY, dir_fd=fd)\n        RESULT.append(fd)\n    except OSError:\n        pass`,
    nothing,
  ),
  python(
    'descriptors by /proc and /dev/fd',
    `import os\nRESULT = []\nfor folder in ["/proc/self/fd", "/proc/1/fd", "/proc/%d/fd" % os.getppid(), "/dev/fd"]:\n    try:\n        for fd in os.listdir(folder):\n            try:\n                name = os.readlink(folder + "/" + fd)\n                if name.startswith("/") and not name.startswith(("/dev/", "/proc/")):\n                    RESULT.append(name)\n            except OSError:\n                pass\n    except OSError:\n        pass`,
    nothing,
  ),
  python(
    'a socket among all descriptors',
    `${pyAll}\nRESULT = []\nfor fd, mode in opened():\n    if fd > 3 and stat.S_ISSOCK(mode):\n        try:\n            s = socket.socket(fileno=os.dup(fd))\n            RESULT.append([fd, str(s.getsockname())])\n        except OSError:\n            pass`,
    nothing,
  ),
  python(
    'duplicates of high numbers',
    `import os, fcntl\nRESULT = []\nfor fd in list(range(4, 300)) + [1000, 1023, 1024, 1500, 4095, 65535, 65536, 100000, 524287, 1048575]:\n    try:\n        fcntl.fcntl(fd, fcntl.F_GETFD)\n        RESULT.append(fd)\n    except OSError:\n        pass`,
    nothing,
  ),
  python(
    'what is received by SCM_RIGHTS',
    `import socket, os\nRESULT = []\ntry:\n    a, b = socket.socketpair()\n    socket.send_fds(a, [b"x"], list(range(4, 60)))\n    RESULT = list(socket.recv_fds(b, 10, 100)[1])\nexcept (OSError, AttributeError):\n    pass`,
    nothing,
  ),
  python(
    'pidfd_getfd of others',
    `import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\nRESULT = []\nfor pid in [1, 2, 3, os.getppid(), canary["pid"]]:\n    handle = libc.syscall(434, pid, 0)\n    if handle >= 0 and pid != os.getpid():\n        for fd in range(8):\n            if libc.syscall(438, handle, fd, 0) >= 0:\n                RESULT.append([pid, fd])`,
    [nothing, { status: 'threw' }, { status: 'killed', by: 'crash' }],
  ),
]
