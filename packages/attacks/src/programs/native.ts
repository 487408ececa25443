/**
 * Native code in a child of a fork, by the runner's own addon: what children share one after the other must
 * not carry anything to the next one, nor to their parent. In other jails the addon is missing.
 */
import { type AttackProgram, anyEnd, javascript, nothing, throws } from '../attack.ts'

const library = `const addon = { exports: {} }; process.dlopen(addon, '/bin/linux.node'); const lib = addon.exports.load(null); const call = (signature, ...args) => lib.func(signature)(...args); const word = (value) => { const bytes = Buffer.alloc(16); bytes.writeBigUInt64LE(BigInt(value), 0); bytes.writeBigUInt64LE(1n, 8); return bytes };`
const defineNative = (name: string, code: string, expected: AttackProgram['expected'] = anyEnd) =>
  javascript(name, `${library} ${code}`, expected, { wallMs: 3000 })
/** It found nothing, or was run where there is no addon. */
const empty = [nothing, throws]

export const nativeCalls: readonly AttackProgram[] = [
  defineNative(
    'ends what it shares',
    `for (const fd of [1, 2, 4]) call('int shutdown(int, int)', fd, 2); RESULT = 1`,
  ),
  defineNative('stops the next job', `call('int shutdown(int, int)', 4, 0); RESULT = 1`),
  defineNative('stops the next output', `call('int shutdown(int, int)', 1, 1); RESULT = 1`),
  defineNative(
    'makes what it shares wait for nobody',
    `for (const fd of [1, 2, 4]) call('int fcntl(int, int, int)', fd, 4, 0o6002); RESULT = 1`,
  ),
  defineNative(
    'options of what it shares',
    `for (const fd of [1, 2, 4]) for (let option = 1; option < 80; option++) call('int setsockopt(int, int, int, void *, int)', fd, 1, option, word(1), 16); RESULT = 1`,
  ),
  defineNative(
    'harmless options of what it shares',
    `for (const fd of [1, 2, 4]) for (const option of [2, 6, 9, 13, 15]) call('int setsockopt(int, int, int, void *, int)', fd, 1, option, word(1), 16); RESULT = 1`,
  ),
  defineNative(
    'reads what was meant for others',
    `const bytes = Buffer.alloc(65536); const count = call('long recv(int, void *, size_t, int)', 4, bytes, 65536, 0x40); RESULT = count > 0 ? [bytes.toString('latin1', 0, count)] : []`,
    empty,
  ),
  defineNative(
    'finds the channel, the listening socket, files',
    `RESULT = []; for (let fd = 3; fd < 256; fd++) { const info = Buffer.alloc(128); const length = word(128); if (fd !== 4 && call('int getsockname(int, void *, void *)', fd, info, length) === 0) RESULT.push(fd) }`,
    empty,
  ),
  defineNative(
    'says that it has ended',
    `const end = Buffer.from(JSON.stringify({ ended: { code: 0, signal: null, cpuMs: 0, clean: true }, mark: '00'.repeat(16) }) + '\\n'); for (let fd = 3; fd < 64; fd++) if (fd !== 4) call('long write(int, void *, size_t)', fd, end, end.length); RESULT = 1`,
  ),
  defineNative(
    'wakes its parent’s threads with what they believe',
    `const message = Buffer.alloc(16); message.writeBigUInt64LE(0x4141414141414140n, 0); message.writeInt32LE(10, 8); for (let fd = 3; fd < 64; fd++) if (fd !== 4) { call('long write(int, void *, size_t)', fd, message, 16); call('long write(int, void *, size_t)', fd, message, 8) } RESULT = 1`,
  ),
  defineNative(
    'leaves words in what it has from its parent',
    `const left = Buffer.from('left'); const got = Buffer.alloc(4); RESULT = []; for (let fd = 3; fd < 64; fd++) { if (fd === 4) continue; if (call('int fcntl(int, int, int)', fd, 4, 0o4002) === 0 && call('long read(int, void *, size_t)', fd, got, 4) === 4 && got.equals(left)) RESULT.push(fd); call('long write(int, void *, size_t)', fd, left, 4) }`,
    empty,
  ),
  defineNative(
    'leaves half a frame for the next',
    `const half = Buffer.from([0, 0, 255, 255, 123]); call('long write(int, void *, size_t)', 4, half, 5); call('void _exit(int)', 0)`,
  ),
  defineNative(
    'a complete outcome, then more',
    `const body = Buffer.from('{"status":"completed","result":"forged"}'); const head = Buffer.alloc(4); head.writeUInt32BE(body.length); const twice = Buffer.concat([head, body, head, body]); call('long write(int, void *, size_t)', 4, twice, twice.length); call('void _exit(int)', 0)`,
  ),
  defineNative('forks', `if (call('int fork()') === 0) for (;;); RESULT = 1`),
  defineNative(
    'vforks',
    `call('long syscall(long, long, long, long, long, long)', 58, 0, 0, 0, 0, 0); RESULT = 1`,
  ),
  defineNative(
    'signals its parent',
    `for (const signal of [19, 15, 9]) call('int kill(int, int)', call('int getppid()'), signal); RESULT = 1`,
  ),
  defineNative('signals everybody', `call('int kill(int, int)', -1, 9); RESULT = 1`),
  defineNative(
    'looks into its parent',
    `const bytes = Buffer.alloc(64); RESULT = []; if (call('long ptrace(int, int, void *, void *)', 16, call('int getppid()'), null, null) === 0) RESULT.push('traced'); if (call('long syscall(long, long, long, long, long, long)', 310, call('int getppid()'), 0, 0, 0, 0) > 0) RESULT.push('read')`,
    empty,
  ),
  defineNative(
    'limits of its parent',
    `for (const limit of [0, 6, 7]) call('int prlimit(int, int, void *, void *)', call('int getppid()'), limit, word(1), null); RESULT = 1`,
  ),
  defineNative(
    'raises its own limits',
    `RESULT = []; if (call('int setrlimit(int, void *)', 0, Buffer.alloc(16, 255)) === 0) RESULT.push('cpu')`,
    empty,
  ),
  defineNative(
    'is traced by the next',
    `call('int prctl(int, ulong, ulong, ulong, ulong)', 4, 1, 0, 0, 0); RESULT = 1`,
  ),
  defineNative(
    'listens',
    `const socket = call('int socket(int, int, int)', 2, 1, 0); const name = Buffer.alloc(16); name.writeUInt16LE(2, 0); name.writeUInt16BE(8099, 2); call('int bind(int, void *, int)', socket, name, 16); call('int listen(int, int)', socket, 5); RESULT = 1`,
  ),
  defineNative(
    'leaves shared memory',
    `call('int shmget(int, size_t, int)', 4711, 4096, 0o1666); call('long syscall(long, long, long, long, long, long)', 319, 0, 0, 0, 0, 0); RESULT = 1`,
  ),
  defineNative(
    'leaves a file without a name',
    `require('fs').writeFileSync('/tmp/.left', 'x'); require('fs').mkdirSync('/dev/shm/left', { recursive: true }); RESULT = 1`,
  ),
]
