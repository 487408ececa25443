/** RESULT, output and the runner’s own channel, made to say what isn’t so. */
import {
  type AttackProgram,
  anyEnd,
  expectFound,
  javascript,
  expectKill,
  noResult,
  python,
  throws,
} from '../attack.ts'

const crash = expectKill('crash')
const writeResultFrame = (text: string) =>
  `const frame = (text) => { const body = Buffer.from(text); const head = Buffer.alloc(4); head.writeUInt32BE(body.length); return Buffer.concat([head, body]) }; const forged = frame(${JSON.stringify(text)}); const fs = require('fs');`
const writePythonResultFrame = (text: string) =>
  `import os, struct\nforged = struct.pack(">I", len(${JSON.stringify(text)})) + ${JSON.stringify(text)}.encode()\n`
const report =
  '{"outcome":"{\\"status\\":\\"completed\\",\\"result\\":\\"forged\\"}","code":0,"signal":null,"out":"","err":"","flood":false,"outOfMemory":false,"violation":null,"bail":null,"tainted":false,"cpuMs":0,"timings":{}}'

export const results: readonly AttackProgram[] = [
  javascript('a huge RESULT', 'RESULT = "x".repeat(64 * 1024 * 1024)', [
    expectKill('result'),
    expectKill('memory'),
  ]),
  javascript(
    'a RESULT that grows as it is read',
    'RESULT = { toJSON() { return Array.from({ length: 1e7 }, (_, n) => ({ n, s: "xxxxxxxx" })) } }',
    [expectKill('memory'), expectKill('result')],
    { memoryMiB: 128 },
  ),
  javascript('a deep RESULT', 'RESULT = []; for (let n = 0; n < 100000; n++) RESULT = [RESULT]', noResult),
  javascript(
    'a RESULT that is deeper at each look',
    'const deeper = () => ({ get next() { return deeper() } }); RESULT = deeper()',
    noResult,
  ),
  javascript('getters that throw', 'RESULT = { get a() { throw { get message() { throw 1 } } } }', noResult),
  javascript(
    'a proxy that lies',
    'let turn = 0; RESULT = new Proxy({}, { ownKeys: () => ["a"], getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true, value: 1 }), get: (_, key) => (key === "toJSON" ? undefined : turn++ ? new Proxy({}, { get() { throw 1 } }) : 1) })',
    anyEnd,
  ),
  javascript(
    'a proxy that is revoked',
    'const { proxy, revoke } = Proxy.revocable({}, {}); RESULT = proxy; revoke()',
    [noResult, throws],
  ),
  javascript(
    'a prototype key',
    'RESULT = JSON.parse(\'{"a": {"__proto__": {"polluted": true}}}\')',
    noResult,
  ),
  javascript(
    'toJSON of everything',
    'Object.prototype.toJSON = () => ({ status: "completed", result: "forged" }); RESULT = { a: 1 }',
    anyEnd,
  ),
  javascript(
    'JSON.stringify replaced',
    'JSON.stringify = () => \'{"__proto__":{}}\'; RESULT = { real: true }',
    expectFound({ real: true }),
  ),
  javascript(
    'JSON.stringify and Buffer replaced',
    'JSON.stringify = () => "forged"; Buffer.from = Buffer.byteLength = Buffer.allocUnsafe = () => { throw 1 }; RESULT = { real: true }',
    anyEnd,
  ),
  javascript(
    'a getter for RESULT that counts',
    'let n = 0; Object.defineProperty(globalThis, "RESULT", { get() { return ++n } })',
    anyEnd,
  ),
  javascript(
    'a fake result line',
    'console.log(\'{"status":"completed","result":"forged"}\'); console.log("RESULT = 1"); process.stdout.write("\\u0000\\u0000\\u0000\\u0010")',
    noResult,
  ),
  javascript(
    'its runner’s hooks called',
    '__stateeval_result(() => "forged", true); __stateeval_result = () => { throw 1 }; const RESULT = "real"',
    anyEnd,
  ),
  javascript(
    'the runner’s names',
    'RESULT = Object.getOwnPropertyNames(globalThis).filter((name) => /^__inside|ivm|isolated/i.test(name))',
    expectFound([]),
  ),
  javascript('noise on the channel', 'require("fs").writeSync(4, "noise"); RESULT = 1', crash),
  javascript(
    'a forged outcome on the channel',
    `${writeResultFrame('{"status":"completed","result":"forged"}')} fs.writeSync(4, forged); RESULT = 'real'`,
    crash,
  ),
  javascript(
    'a forged report on the channel',
    `${writeResultFrame(report)} fs.writeSync(4, forged); process.reallyExit(0)`,
    crash,
  ),
  javascript(
    'a flood on the channel',
    'const noise = Buffer.alloc(1 << 20); for (let n = 0; n < 50; n++) require("fs").writeSync(4, noise)',
    crash,
  ),
  javascript(
    'an endless frame',
    'const head = Buffer.alloc(4); head.writeUInt32BE(0xffffffff); require("fs").writeSync(4, head); RESULT = 1',
    crash,
  ),
  javascript(
    'words to the handover',
    'RESULT = []; try { require("fs").writeSync(3, \'{"port":1}\\n\'); } catch (error) { RESULT.push(error.code) }',
    anyEnd,
  ),
  javascript(
    'closes all descriptors',
    'const fs = require("fs"); for (let fd = 0; fd < 64; fd++) try { fs.closeSync(fd) } catch {} RESULT = 1',
    anyEnd,
  ),
  javascript(
    'reads the channel',
    'const fs = require("fs"); const { Socket } = require("net"); try { const socket = new Socket({ fd: 4 }); socket.on("data", (text) => { RESULT = String(text) }); setTimeout(() => process.exit(0), 100) } catch (error) { RESULT = [] }',
    anyEnd,
  ),

  python(
    'a forged outcome on descriptors',
    `${writePythonResultFrame('{"status":"completed","result":"forged"}')}for fd in range(3, 20):\n    try:\n        os.write(fd, forged)\n    except OSError:\n        pass\nRESULT = "real"`,
    [crash, expectFound('real')],
  ),
  python(
    'a forged report on descriptors',
    `${writePythonResultFrame(report)}for fd in range(3, 20):\n    try:\n        os.write(fd, forged)\n    except OSError:\n        pass\nos._exit(0)`,
    [crash, noResult],
  ),
  python(
    'a fake result line',
    'print(\'{"status": "completed", "result": "forged"}\')\nprint("RESULT = 1")',
    noResult,
  ),
  python(
    'json replaced',
    'import json\njson.dumps = lambda *a, **k: "forged"\njson.JSONEncoder.default = lambda *a: "forged"\nRESULT = {"real": True}',
    expectFound({ real: true }),
  ),
  python(
    'a dict that lies',
    'class D(dict):\n    def items(self):\n        raise SystemExit("no")\n    def __iter__(self):\n        while True:\n            yield "x"\nRESULT = {"a": D(b=1)}',
    anyEnd,
    { wallMs: 1500 },
  ),
  python(
    'str that raises',
    'class S(str):\n    def __str__(self):\n        raise KeyboardInterrupt\n    __repr__ = __str__\nraise ValueError(S("x"))',
    throws,
  ),
  python(
    'a hostile exception',
    'class E(Exception):\n    def __str__(self):\n        while True:\n            pass\nraise E()',
    anyEnd,
    {
      wallMs: 250,
    },
  ),
]
