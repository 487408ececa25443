/**
 * Programs that leave something in the kernel which acts, or could be found, after their end: in the run of
 * the next program of the same jail. None may.
 */
import { type AttackProgram, anyEnd, javascript, python } from '../attack.ts'

/** Descriptors on their way in a cycle of sockets, which the kernel closes after a process’s end. */
const pythonCycle = `
import ctypes, os, socket, struct, time
libc = ctypes.CDLL(None)
kept = []
def leave(*fds, pairs=10):
    inside = list(fds)
    for _ in range(pairs):
        a, b = socket.socketpair()
        socket.send_fds(a, [b"x"], inside)
        kept.extend([a, b])
        inside = [b.fileno()]
    a, b = socket.socketpair()
    socket.send_fds(a, [b"x"], [b.fileno()] + inside)
    kept.extend([a, b])
body = b'{"by": "attack"}'
request = b"PUT /left HTTP/1.1\\r\\nHost: x\\r\\nContent-Type: application/json\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(body) + body
def connected(*options):
    s = socket.socket()
    for option in options:
        s.setsockopt(*option)
    s.connect(("127.0.0.1", 8080))
    return s
RESULT = 1
`
const definePythonCycle = (name: string, code: string): AttackProgram =>
  python(name, `${pythonCycle}${code}`, anyEnd, { wallMs: 3000 })

/** The same by the addon of a forking Node; in other jails it is missing. */
const javascriptCycle = `
const addon = { exports: {} }; process.dlopen(addon, '/bin/linux.node'); const koffi = addon.exports; const lib = koffi.load(null)
const call = (signature, ...args) => lib.func(signature)(...args)
const block = () => Buffer.from(new ArrayBuffer(256)); const blocks = []
const pair = () => { const fds = block(); call('int socketpair(int, int, int, void *)', 1, 1, 0, fds); return [fds.readInt32LE(0), fds.readInt32LE(4)] }
const pass = (to, fds) => {
  const m = block(); blocks.push(m); const at = koffi.address(m)
  for (const [where, value] of [[16, at + 64n], [24, 1n], [32, at + 80n], [40, BigInt(16 + 8 * Math.ceil(fds.length / 2))], [64, at + 200n], [72, 1n], [80, BigInt(16 + 4 * fds.length)]]) m.writeBigUInt64LE(value, where)
  m.writeInt32LE(1, 88); m.writeInt32LE(1, 92); fds.forEach((fd, n) => m.writeInt32LE(fd, 96 + 4 * n))
  call('long sendmsg(int, void *, int)', to, m, 0)
}
const leave = (...fds) => { let inside = fds; for (let n = 0; n < 60; n++) { const [a, b] = pair(); pass(a, inside); inside = [b] } const [a, b] = pair(); pass(a, [b, ...inside]) }
const one = Buffer.from([1, 0, 0, 0]); const address = Buffer.from([2, 0, 0x1f, 0x90, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
const socket = (...options) => { const fd = call('int socket(int, int, int)', 2, 1, 0); for (const [level, option] of options) call('int setsockopt(int, int, int, void *, uint)', fd, level, option, one, 4); return fd }
const connect = (fd) => call('int connect(int, void *, uint)', fd, address, 16)
const request = Buffer.from('PUT /left HTTP/1.1\\r\\nHost: x\\r\\nContent-Type: application/json\\r\\nContent-Length: 15\\r\\n\\r\\n{"by":"attack"}')
const send = (fd, bytes) => call('long write(int, void *, size_t)', fd, bytes, bytes.length)
RESULT = 1
`
const defineJavascriptCycle = (name: string, code: string): AttackProgram =>
  javascript(name, `${javascriptCycle}${code}`, anyEnd, { wallMs: 3000 })

/** A connection whose handshake the kernel completes after the end (TCP_DEFER_ACCEPT, with TCP_CORK). */
export const lateConnections: readonly AttackProgram[] = [
  definePythonCycle(
    'a connection that is completed later',
    's = socket.socket(); s.setsockopt(6, 9, 1); s.setsockopt(6, 3, 1)\nleave(s.fileno(), pairs=60)\ns.connect(("127.0.0.1", 8080))\ns.send(request)',
  ),
  defineJavascriptCycle(
    'a connection that is completed later',
    'const fd = socket([6, 9], [6, 3]); leave(fd); connect(fd); send(fd, request)',
  ),
]

export const aftermath: readonly AttackProgram[] = [
  ...lateConnections,
  definePythonCycle(
    'a request in two halves',
    's = connected()\ns.send(request[:40])\nleave(s.fileno())\ns.send(request[40:-2])',
  ),
  definePythonCycle(
    'a corked request',
    's = connected((6, 3, 1))\nleave(s.fileno())\ns.send(request)\nos._exit(0)',
  ),
  definePythonCycle('a request that nobody waits for', 's = connected()\ns.send(request)\nos._exit(0)'),
  definePythonCycle(
    'more connections than may wait',
    'all = []\ntry:\n    for _ in range(700):\n        s = socket.socket(); s.setblocking(False); s.connect_ex(("127.0.0.1", 8080)); all.append(os.dup(s.fileno()))\nexcept OSError:\n    pass\nleave(*all[:200])',
  ),
  definePythonCycle(
    'a connection opened by its first data',
    's = socket.socket()\ntry:\n    s.sendto(request, 0x20000000, ("127.0.0.1", 8080))\nexcept OSError:\n    pass\nleave(s.fileno())',
  ),
  definePythonCycle(
    'a connection that lingers',
    's = connected((socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 30)))\ns.setblocking(False)\ntry:\n    while True:\n        s.send(request * 1000)\nexcept OSError:\n    pass\nleave(s.fileno())',
  ),
  definePythonCycle(
    'keep-alive probes',
    's = connected((1, 9, 1), (6, 4, 1), (6, 5, 1), (6, 6, 100))\nleave(s.fileno())',
  ),
  definePythonCycle(
    'a socket that is bound',
    's = socket.socket(); s.bind(("127.0.0.1", 0)); leave(s.fileno())',
  ),
  definePythonCycle(
    'a second listening socket',
    's = socket.socket(); s.setsockopt(1, 15, 1); s.bind(("127.0.0.1", 8080)); s.listen(); leave(s.fileno())',
  ),
  definePythonCycle(
    'the other loopback',
    's = socket.socket(socket.AF_INET6)\ntry:\n    s.connect(("::1", 8080))\nexcept OSError:\n    pass\nleave(s.fileno())',
  ),
  definePythonCycle(
    'datagrams',
    's = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.sendto(b"x", ("127.0.0.1", 8080)); leave(s.fileno())',
  ),
  definePythonCycle(
    'descriptors of its output',
    'leave(1, 2)\nleave(3 if os.path.exists("/dev/fd/3") else 1)',
  ),
  definePythonCycle(
    'descriptors sent to the host',
    'for fd in (1, 2, 3):\n    try:\n        s = socket.socket(fileno=os.dup(fd)); socket.send_fds(s, [b"x"], [0, 1, 2]); s.detach()\n    except OSError:\n        pass',
  ),
  definePythonCycle(
    'urgent data in its output',
    's = socket.socket(fileno=os.dup(1))\ntry:\n    s.send(b"x", socket.MSG_OOB)\nexcept OSError:\n    pass\nleave(s.fileno())',
  ),
  definePythonCycle(
    'a file without a name',
    'f = os.open("/tmp/x", os.O_RDWR | os.O_CREAT); os.write(f, b"x" * 4000000); os.unlink("/tmp/x"); leave(f)',
  ),
  definePythonCycle(
    'a file that never had a name',
    'f = os.open("/tmp", os.O_TMPFILE | os.O_RDWR); os.write(f, b"x" * 4000000); leave(f)',
  ),
  definePythonCycle(
    'a removed folder',
    'os.mkdir("/tmp/d"); f = os.open("/tmp/d", os.O_RDONLY); os.rmdir("/tmp/d"); leave(f)',
  ),
  definePythonCycle(
    'the folder itself',
    'f = os.open("/tmp", os.O_RDONLY); leave(f); os.chmod("/tmp", 0o500)',
  ),
  definePythonCycle(
    'a named pipe',
    'os.mkfifo("/tmp/p"); f = os.open("/tmp/p", os.O_RDWR); os.write(f, b"x" * 4000); os.unlink("/tmp/p"); leave(f)',
  ),
  definePythonCycle('a full pipe', 'r, w = os.pipe(); os.write(w, b"x" * 65536); leave(r, w)'),
  definePythonCycle(
    'memory in a file',
    'import mmap\nf = os.open("/dev/shm/m", os.O_RDWR | os.O_CREAT); os.truncate(f, 1 << 20); m = mmap.mmap(f, 1 << 20); m[:4] = b"left"; os.unlink("/dev/shm/m"); leave(f)',
  ),
  definePythonCycle(
    'a timer as a descriptor',
    'f = libc.timerfd_create(1, 0); libc.timerfd_settime(f, 0, struct.pack("qqqq", 0, 50000000, 0, 50000000), None); leave(f)',
  ),
  definePythonCycle(
    'an event and an epoll',
    'import select\ne = libc.eventfd(5, 0); p = select.epoll(); p.register(e); s = connected(); p.register(s); leave(e, p.fileno(), s.fileno())',
  ),
  definePythonCycle('signals as a descriptor', 'f = libc.signalfd(-1, bytes(128), 0); leave(f)'),
  definePythonCycle(
    'timers of the process',
    'import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN); signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05); t = ctypes.c_void_p(); libc.timer_create(1, None, ctypes.byref(t)); libc.timer_settime(t, 0, struct.pack("qqqq", 0, 50000000, 0, 50000000), None)',
  ),
  definePythonCycle(
    'threads that go on',
    'import threading, requests\ndef late():\n    time.sleep(0.1)\n    requests.put("http://127.0.0.1:8080/left", json={"by": "attack"})\nfor _ in range(3):\n    threading.Thread(target=late, daemon=True).start()\nos._exit(0)',
  ),
  definePythonCycle(
    'a process that goes on',
    'import requests\nif os.fork() == 0:\n    time.sleep(0.1)\n    requests.put("http://127.0.0.1:8080/left", json={"by": "attack"})\n    os._exit(0)',
  ),
  definePythonCycle(
    'limits, mask, group and placement',
    'import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); os.umask(0o777); os.setpgid(0, 0) if os.getpgid(0) != os.getpid() else None; os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])',
  ),
  definePythonCycle(
    'orders for the parent',
    'for option in (36, 1, 4, 29):\n    libc.prctl(option, 1, 0, 0, 0)',
  ),
  definePythonCycle(
    'record locks',
    'import fcntl\nf = os.open("/tmp/x", os.O_RDWR | os.O_CREAT); fcntl.lockf(f, fcntl.LOCK_EX); os.unlink("/tmp/x"); leave(f)',
  ),
  definePythonCycle(
    'every descriptor that it may have',
    'all = []\ntry:\n    while True:\n        all.append(os.open("/dev/null", os.O_RDONLY))\nexcept OSError:\n    pass\nfor fd in all[-40:]:\n    os.close(fd)\nleave(*all[:200])',
  ),
  definePythonCycle(
    'shared memory and queues',
    'for number in (29, 68, 64, 240, 319, 425, 248):\n    libc.syscall(number, 0x4711, 4096, 0o1666, 0)',
  ),
  definePythonCycle(
    'a network and rights of its own',
    'libc.unshare(0x50000000); libc.unshare(0x10000000); libc.setns(0, 0x40000000); RESULT = libc.capset(struct.pack("Ii", 0x20080522, 0), b"\\xff" * 24)',
  ),
  definePythonCycle(
    'the loopback taken down',
    'import fcntl\ns = socket.socket()\ntry:\n    fcntl.ioctl(s, 0x8914, struct.pack("16sh14x", b"lo", 0))\nexcept OSError:\n    pass\nleave(s.fileno())',
  ),
  defineJavascriptCycle(
    'a request in two halves',
    'const fd = socket(); connect(fd); send(fd, request.subarray(0, 40)); leave(fd); send(fd, request.subarray(40, -2))',
  ),
  defineJavascriptCycle(
    'a corked request',
    'const fd = socket([6, 3]); connect(fd); leave(fd); send(fd, request); process.reallyExit(0)',
  ),
  defineJavascriptCycle(
    'a file without a name',
    `const fs = require('fs'); const fd = fs.openSync('/tmp/x', 'w+'); fs.writeSync(fd, Buffer.alloc(4e6)); fs.unlinkSync('/tmp/x'); leave(fd)`,
  ),
  defineJavascriptCycle(
    'a network of its own',
    `call('int unshare(int)', 0x50000000); const s = socket(); const flags = Buffer.alloc(40); flags.write('lo'); call('int ioctl(int, ulong, void *)', s, 0x8914, flags); leave(s)`,
  ),
]
