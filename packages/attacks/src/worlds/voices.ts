/** Against functions of the host: what goes over the channel, when, and how often. */
import {
  type AttackProgram,
  anyEnd,
  briefly,
  completes,
  expectFound,
  javascript,
  expectKill,
  noResult,
  python,
  throws,
  timeout,
} from '../attack.ts'
import { writePythonCalls, writeCalls } from './frames.ts'

const crash = expectKill('crash')
const speak = 'text_to_speech({ text: "x" })'
const waits = 'await new Promise((go) => setTimeout(go, 60)); RESULT = 1'

export const voices: readonly AttackProgram[] = [
  javascript('a flood', `for (;;) await ${speak}`, expectKill('requests'), { requests: 20 }),
  javascript(
    'a flood at once',
    `RESULT = 1; for (let n = 0; n < 60; n++) ${speak}.catch(() => {})`,
    expectKill('requests'),
    { requests: 20 },
  ),
  javascript(
    'huge arguments',
    'RESULT = await text_to_speech({ text: "x".repeat(1 << 24) }).then(() => [1], () => [])',
    expectFound([]),
  ),
  javascript(
    'much in all',
    `for (let n = 0; n < 60; n++) text_to_speech({ text: 'x'.repeat(${60 * 1024}) }).catch(() => {})\nRESULT = 1`,
    expectKill('requests'),
    { resultKiB: 64 },
  ),
  javascript(
    'deep nesting',
    'let deep = 1; for (let n = 0; n < 1000; n++) deep = [deep]; RESULT = await speech_to_text(deep).then(() => [1], () => [])',
    expectFound([]),
  ),
  javascript(
    'nesting beyond the stack',
    'let deep = 1; for (let n = 0; n < 1e6; n++) deep = [deep]; RESULT = await speech_to_text(deep).then(() => [1], () => [])',
    [expectFound([]), throws],
  ),
  javascript(
    'itself',
    'const round = {}; round.text = round; RESULT = await text_to_speech(round).then(() => [1], () => [])',
    expectFound([]),
  ),
  javascript(
    'prototype keys',
    `RESULT = []; for (const text of ['{"__proto__":{"text":"x"}}', '{"constructor":{"prototype":{"polluted":1}}}', '{"text":{"__proto__":{"polluted":1}}}']) await text_to_speech(JSON.parse(text)).then(() => RESULT.push(text), () => {})`,
    expectFound([]),
  ),
  javascript(
    'getters that throw',
    'RESULT = await text_to_speech({ get text() { throw { get message() { throw 1 } } } }).then(() => [1], () => [])',
    expectFound([]),
  ),
  javascript(
    'a getter that never ends',
    'await text_to_speech({ get text() { for (;;); } })',
    timeout,
    briefly,
  ),
  javascript(
    'toJSON that throws, lies and calls',
    `const inner = { toJSON() { ${speak}.catch(() => {}); return "x" } }; RESULT = []; for (const text of [inner, { toJSON() { throw 1 } }, { toJSON: () => undefined }, { toJSON: () => () => 1 }]) await text_to_speech({ text }).catch(() => {})`,
    completes,
  ),
  javascript(
    'toJSON of everything',
    `Object.prototype.toJSON = String.prototype.toJSON = () => '__proto__'; await ${speak}.catch(() => {}); RESULT = 1`,
    anyEnd,
  ),
  javascript(
    'a proxy',
    'RESULT = await text_to_speech(new Proxy({}, { ownKeys: () => ["text"], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }), get: (_, key) => (key === "text" ? new Proxy([], { get() { throw 1 } }) : undefined) })).then(() => [1], () => [])',
    expectFound([]),
  ),
  javascript('answers that nobody awaits', `for (let n = 0; n < 200; n++) ${speak}; RESULT = 1`, completes),
  javascript('answers that are awaited for ever', `await ${speak}; await new Promise(() => {})`, noResult),
  javascript(
    'an end in the middle of calls',
    `for (let n = 0; n < 100; n++) ${speak}; RESULT = 1; process.exit(0)`,
    anyEnd,
  ),
  javascript(
    'calls after the end',
    `RESULT = 1; process.on('exit', () => { for (let n = 0; n < 20; n++) ${speak} })`,
    anyEnd,
  ),
  javascript(
    'an answer after the end',
    `RESULT = 1; ${speak}.then(() => process.exit(0)); ${speak}.then(() => { for (;;); })`,
    anyEnd,
    briefly,
  ),
  javascript(
    'the functions changed',
    `const real = text_to_speech; for (const name of Object.keys(globalThis)) if (/speech|voice|audio|call/.test(name)) globalThis[name] = async () => 666; real.call = real.apply = () => 666; RESULT = await real({ text: 'x' }) !== 666`,
    expectFound(true),
  ),
  javascript(
    'what they stand on changed',
    `Promise.prototype.then = function () { return this }; Object.keys = () => ['text']; Object.hasOwn = () => true; JSON.parse = () => ({ ok: true, value: 666 }); JSON.stringify = () => '"forged"'; Array.isArray = () => true; Map.prototype.get = () => 666; RESULT = ${speak} ? 1 : 0`,
    anyEnd,
    briefly,
  ),
  javascript(
    'thenables for values',
    `const { prototype } = Object; prototype.then = function (go) { go(666) }; RESULT = await Promise.race([${speak}, 1])`,
    anyEnd,
    briefly,
  ),
  javascript('a forged call', `${writeCalls('text_to_speech', '{"text":"x"}', 3)}${waits}`, anyEnd),
  javascript('a call of nothing', `${writeCalls('__proto__', '{}')}${waits}`, anyEnd),
  javascript('arguments that are none', `${writeCalls('text_to_speech', '7')}${waits}`, anyEnd),
  javascript(
    'calls that nobody reads',
    `${writeCalls('search_voice_library', '{}', 900)}RESULT = 1`,
    anyEnd,
    {
      wallMs: 3000,
    },
  ),
  javascript(
    'half a call',
    `const fs = require('fs'); fs.writeSync(4, Buffer.from([0, 0, 1, 0, 1, 49, 32])); RESULT = 1`,
    anyEnd,
  ),
  javascript(
    'an outcome among calls',
    `const frame = (text) => { const body = Buffer.from(text); const head = Buffer.alloc(4); head.writeUInt32BE(body.length); return Buffer.concat([head, body]) }; require('fs').writeSync(4, Buffer.concat([frame('\\u00011 ["text_to_speech",{"text":"x"}]'), frame('{"status":"completed","result":"forged"}'), frame('\\u00012 ["text_to_speech",{"text":"x"}]')])); RESULT = 'real'`,
    anyEnd,
  ),

  python('a flood', 'while True:\n    text_to_speech("x")', expectKill('requests'), { requests: 20 }),
  python(
    'a flood of threads',
    'import threading\nfor _ in range(40):\n    threading.Thread(target=text_to_speech, args=("x",)).start()\nRESULT = 1',
    [expectKill('requests'), expectKill('processes'), throws],
    { requests: 20 },
  ),
  python(
    'huge arguments',
    'RESULT = []\ntry:\n    text_to_speech("x" * (1 << 24))\n    RESULT.append(1)\nexcept Exception:\n    pass',
    expectFound([]),
  ),
  python(
    'much in all',
    `for n in range(60):\n    try:\n        text_to_speech("x" * ${60 * 1024})\n    except Exception:\n        pass\nRESULT = 1`,
    expectKill('requests'),
    { resultKiB: 64 },
  ),
  python(
    'deep nesting',
    'deep = 1\nfor _ in range(100000):\n    deep = [deep]\nRESULT = []\ntry:\n    speech_to_text(deep)\n    RESULT.append(1)\nexcept Exception:\n    pass',
    expectFound([]),
  ),
  python(
    'prototype keys',
    'RESULT = []\nfor key in ("__proto__", "constructor", "prototype"):\n    try:\n        text_to_speech({key: {"polluted": 1}})\n        RESULT.append(key)\n    except Exception:\n        pass',
    expectFound([]),
  ),
  python(
    'objects that raise',
    'class D(dict):\n    def items(self):\n        raise SystemExit("no")\n    def __iter__(self):\n        raise KeyboardInterrupt\nclass S(str):\n    def __str__(self):\n        raise MemoryError\nfor value in (D(a=1), S("x"), object(), float("nan")):\n    try:\n        text_to_speech(value)\n    except BaseException:\n        pass\nRESULT = 1',
    completes,
  ),
  python(
    'the host’s own function',
    'call = text_to_speech.__closure__[0].cell_contents\nRESULT = []\nfor name in ("rm", "__proto__", "constructor"):\n    try:\n        RESULT.append(call(name, {}))\n    except Exception:\n        pass',
    expectFound([]),
  ),
  python(
    'the functions changed',
    'import builtins\nhost = text_to_speech.__closure__[0].cell_contents.__self__\ntype(host).call = type(host).callSync = lambda *a: 666\nhost._limit = 1 << 40\nhost._lock.acquire()\nbuiltins.text_to_speech = lambda *a, **k: 666\nRESULT = 1',
    anyEnd,
  ),
  python(
    'a lock that stays',
    'text_to_speech.__closure__[0].cell_contents.__self__._lock.acquire()\ntext_to_speech("x")',
    timeout,
    briefly,
  ),
  python(
    'calls after the end',
    'import atexit, threading\natexit.register(lambda: text_to_speech("x"))\nclass D:\n    def __del__(self):\n        text_to_speech("x")\nd = D()\nthreading.Thread(target=lambda: [text_to_speech("x") for _ in range(50)], daemon=True).start()\nRESULT = 1',
    anyEnd,
  ),
  python('a copy that calls', 'import os\nif os.fork() == 0:\n    text_to_speech("x")\nRESULT = 1', anyEnd, {
    wallMs: 3000,
  }),
  python('a forged call', `${writePythonCalls('text_to_speech', '{"text":"x"}', 3)}RESULT = 1`, anyEnd),
  python(
    'no call',
    'import os\nos.write(3, b"\\0\\0\\0\\5\\0011 {{")\nRESULT = text_to_speech("x")',
    anyEnd,
    briefly,
  ),
  python('half a call', 'import os\nos.write(3, b"\\0\\0\\1\\0\\1" + b"1 [")\nRESULT = 1', anyEnd),
  python(
    'calls that nobody reads',
    `${writePythonCalls('search_voice_library', '{}', 900)}RESULT = 1`,
    anyEnd,
    briefly,
  ),
  python('a reply that never comes', 'import os\nos.read(3, 1)', timeout, briefly),
  python('a channel that is closed', 'import os\nos.close(3)\nRESULT = text_to_speech("x")', noResult),
  python(
    'a channel of its own',
    'import os, socket\nours, theirs = socket.socketpair()\nos.dup2(theirs.fileno(), 3)\nours.send(b"\\0\\0\\0\\x16\\0011 {\\"ok\\":true,\\"value\\":1}")\nRESULT = text_to_speech("x")',
    [anyEnd[0]!, throws, crash, noResult],
    briefly,
  ),
]
