/** Use that is hidden from who counts it. */
import {
  type AttackProgram,
  javascript,
  expectKill,
  little,
  noResult,
  nothing,
  python,
  timeout,
} from '../attack.ts'

const memory = expectKill('memory')

/**
 * A library for x64 whose start makes system calls: each is asked for in turn, and one that works ends the
 * process with 77. Elsewhere the loader refuses it.
 */
const native = (calls: string) => `
const fs = require('fs');
const word = (value) => { const bytes = Buffer.alloc(4); bytes.writeInt32LE(value); return [...bytes] };
const call = (number, [a = 0, b = 0] = []) => [0xb8, ...word(number), 0xbf, ...word(a), 0xbe, ...word(b), 0x31, 0xd2, 0x4d, 0x31, 0xd2, 0x0f, 0x05, 0x48, 0x85, 0xc0, 0x75, 12, 0xb8, ...word(231), 0xbf, ...word(77), 0x0f, 0x05];
const code = [...${calls}.flatMap(([number, ...args]) => call(number, args)), 0xc3];
const [headers, dynamic] = [0, 0xc0];
const start = 0x140;
const file = Buffer.alloc(0x1000);
Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]).copy(file);
const put = (at, size, value) => (size === 2 ? file.writeUInt16LE(value, at) : size === 4 ? file.writeUInt32LE(value, at) : file.writeBigUInt64LE(BigInt(value), at));
for (const [at, size, value] of [[16, 2, 3], [18, 2, 62], [20, 4, 1], [32, 8, 64], [52, 2, 64], [54, 2, 56], [56, 2, 2], [58, 2, 64]]) put(at, size, value);
const segment = (at, type, from, length) => { put(at, 4, type); put(at + 4, 4, 7); for (const [n, value] of [from, from, from, length, length, 0x1000].entries()) put(at + 8 + 8 * n, 8, value) };
segment(64, 1, headers, file.length);
segment(120, 2, dynamic, 0x60);
[[5, 0x130], [6, 0x130], [10, 1], [11, 24], [12, start], [0, 0]].forEach(([tag, value], n) => { put(dynamic + 16 * n, 8, tag); put(dynamic + 16 * n + 8, 8, value) });
Buffer.from(code).copy(file, start);
fs.writeFileSync('/tmp/native.node', file);
RESULT = [];
try { process.dlopen({ exports: {} }, '/tmp/native.node') } catch (error) { if (process.arch === 'x64' && !/self-register/.test(error.message)) RESULT = [error.message] }
`

export const accounting: readonly AttackProgram[] = [
  // PTRACE_TRACEME, then PTRACE_SEIZE of others; process_vm_readv of its parent.
  javascript(
    'ptrace by machine code',
    native('[[101, 0], [101, 0x4206, 1], [101, 0x4206, process.ppid], [101, 0x4206, canary.pid]]'),
    nothing,
    undefined,
    // gVisor lets it be traced by its parent, which doesn't: it waits.
    [noResult, timeout],
  ),
  python(
    'children that nobody waits for',
    'import os, signal, time\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\nwhile True:\n    if os.fork() == 0:\n        end = time.process_time() + 0.02\n        while time.process_time() < end:\n            pass\n        os._exit(0)\n    try:\n        os.waitpid(-1, 0)\n    except ChildProcessError:\n        pass',
    { status: 'timeout', limit: 'cpu' },
    { wallMs: 60_000, cpuSeconds: 1 },
  ),
  python(
    'mapped memory that is shared',
    'import mmap, time\nmaps = []\nwhile True:\n    m = mmap.mmap(-1, 1 << 24)\n    m.write(b"x" * (1 << 24))\n    maps.append(m)\n    time.sleep(0.02)',
    memory,
    little,
  ),
  python(
    'one mapping, written bit by bit',
    'import mmap, time\nm = mmap.mmap(-1, 600 << 20)\nfor at in range(0, 600 << 20, 1 << 23):\n    m[at:at + (1 << 23)] = b"x" * (1 << 23)\n    time.sleep(0.01)\nRESULT = 1',
    memory,
    little,
  ),
]
