/** Programs that call functions of the host, and how they end. */
import { expect } from '@jest/globals'
import type { ExecutionLimits } from '@stateeval/contracts'
import type { Both } from './fake-calls.ts'

const partly = (members: object): unknown => expect.objectContaining(members)
const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern)
export const completed = (result: unknown) => ({ status: 'completed', result })
const crashed = partly({ status: 'killed', by: 'crash' })

/** Cases of both languages; the others follow below. */
export const both: [name: string, code: Both, ending: unknown, limits?: Partial<ExecutionLimits>][] = [
  [
    'values go there and back',
    {
      javascript:
        'RESULT = [await echo({ a: [1, "é\\u2028😀", null, true] }), callSync("echo", 2.5), await call("echo", user_variable_0)]',
      python:
        'RESULT = [echo({"a": [1, "é\\u2028😀", None, True]}), call_sync("echo", 2.5), call("echo", user_variable_0)]',
    },
    completed([{ a: [1, 'é\u2028😀', null, true] }, 2.5, { n: 1 }]),
  ],
  [
    'modules',
    {
      javascript: `const tools = require('tools'); const { echo: e } = await import('tools'); RESULT = [tools.version, await e(1)]`,
      python: 'import tools\nfrom tools import echo as e\nRESULT = [tools.version, e(1)]',
    },
    completed([1, 1]),
  ],
  [
    'variables are decoded, RESULT is encoded',
    {
      javascript: 'RESULT = boxed.boxed === 7 ? boxed : null',
      python: 'RESULT = boxed if boxed.value == 7 else None',
    },
    completed({ $boxed: 7, seen: 1 }),
  ],
  [
    'errors are the language’s own',
    {
      javascript: `try { await call('fail', { name: 'RangeError', message: 'too far' }) } catch (error) { RESULT = [error.name, error.message, error instanceof RangeError] }`,
      python: `try:\n    call('fail', {'name': 'ValueError', 'message': 'too far'})\nexcept ValueError as error:\n    RESULT = ['RangeError', str(error), type(error) is ValueError]`,
    },
    completed(['RangeError', 'too far', true]),
  ],
  [
    'errors of other names',
    {
      javascript: `try { callSync('fail', { name: 'ToolError', message: 'no voice' }) } catch (error) { RESULT = [error.name, error.message, error instanceof Error] }`,
      python: `try:\n    call_sync('fail', {'name': 'ToolError', 'message': 'no voice'})\nexcept Exception as error:\n    RESULT = [type(error).__name__, str(error), True]`,
    },
    completed(['ToolError', 'no voice', true]),
  ],
  [
    'an error that nobody catches tells its line',
    {
      javascript: `await echo(1)\n\nconst f = async () => {\n  await call('fail', { name: 'ToolError', message: 'no voice' })\n}\nawait f()`,
      python: `echo(1)\n\ndef f():\n    call('fail', {'name': 'ToolError', 'message': 'no voice'})\n\nf()`,
    },
    { status: 'threw', error: partly({ name: 'ToolError', message: 'no voice', line: 4 }) },
  ],
  [
    'an error of a blocking call too',
    {
      javascript: `\ncallSync('fail', { name: 'ToolError', message: 'no voice' })`,
      python: `\ncall_sync('fail', {'name': 'ToolError', 'message': 'no voice'})`,
    },
    { status: 'threw', error: partly({ name: 'ToolError', message: 'no voice', line: 2 }) },
  ],
  [
    'an unknown name',
    { javascript: `await call('rm', {})`, python: `call('rm', {})` },
    { status: 'threw', error: partly({ message: 'There is no function rm' }) },
  ],
  [
    'arguments that are nested too deeply',
    {
      javascript: 'let a = 1; for (let i = 0; i < 100; i++) a = [a]; await call("echo", a)',
      python: 'a = 1\nfor _ in range(100):\n    a = [a]\ncall("echo", a)',
    },
    { status: 'threw', error: partly({ name: 'TypeError', message: matching(/nested more than 64/) }) },
  ],
  [
    'arguments that are too long',
    { javascript: 'await call("echo", "x".repeat(5000))', python: 'call("echo", "x" * 5000)' },
    { status: 'threw', error: partly({ message: matching(/longer than 4 KiB/) }) },
    { resultKiB: 4 },
  ],
  [
    'answers that are too long',
    {
      javascript: 'try { callSync("long", 5000) } catch (error) { RESULT = error.message }',
      python: 'try:\n    call("long", 5000)\nexcept Exception as error:\n    RESULT = str(error)',
    },
    completed('The answer of long is longer than 4 KiB'),
    { resultKiB: 4 },
  ],
  [
    'a large value, both ways',
    {
      javascript: 'RESULT = (await call("echo", "é".repeat(300000))).length',
      python: 'RESULT = len(call("echo", "é" * 300000))',
    },
    completed(300_000),
  ],
  [
    'as many calls as the limit',
    {
      javascript: 'for (let i = 0; i < 19; i++) callSync("echo", i); RESULT = 1',
      python: 'for i in range(19):\n    call("echo", i)\nRESULT = 1',
    },
    completed(1),
    { requests: 20 },
  ],
  [
    'a flood of calls',
    { javascript: 'for (;;) callSync("echo", 1)', python: 'while True:\n    call("echo", 1)' },
    { status: 'killed', by: 'requests' },
    { requests: 20 },
  ],
  [
    'no sockets',
    {
      javascript: `const net = require('net'); RESULT = await new Promise((done) => net.connect(8080, '127.0.0.1').on('error', () => done('no')).on('connect', () => done('yes')))`,
      python: `import socket\ntry:\n    socket.create_connection(("127.0.0.1", 8080), timeout=2)\n    RESULT = "yes"\nexcept OSError:\n    RESULT = "no"`,
    },
    completed('no'),
  ],
  [
    'a call over which the world fails each time is the code’s, while known work succeeds',
    {
      javascript: `try { await call('broken', 1) } catch {} RESULT = 1`,
      python: `try:\n    call('broken', 1)\nexcept Exception:\n    pass\nRESULT = 1`,
    },
    partly({ status: 'killed', by: 'requests', detail: matching(/it broke/) }),
  ],
  [
    'what the code changes of its language breaks nothing',
    {
      javascript: `const patched = () => 'patched'
Promise.all = Promise.resolve = Promise.reject = Promise.prototype.catch = JSON.parse = JSON.stringify = Reflect.apply = patched
Object.keys = Object.entries = Object.defineProperty = Object.assign = Map.prototype.get = Map.prototype.set = patched
String.prototype.indexOf = String.prototype.slice = Array.prototype.splice = Array.prototype.push = patched
Uint8Array.prototype.set = Uint8Array.prototype.subarray = Error.captureStackTrace = patched
RESULT = { a: callSync('echo', 'x'), b: await echo({ y: 1 }) }`,
      python: `import builtins, json, os, struct
keep = builtins.Exception
for module in (json, struct):
    for name in dir(module):
        if callable(getattr(module, name)) and not name.startswith("_"):
            setattr(module, name, None)
for name in ("read", "write"):
    setattr(os, name, None)
for name in ("len", "isinstance", "dict", "list", "bytes", "memoryview", "type", "getattr"):
    setattr(builtins, name, None)
RESULT = {"a": call_sync("echo", "x"), "b": echo({"y": 1})}`,
    },
    completed({ a: 'x', b: { y: 1 } }),
  ],
]

export const javascriptOnly: [
  name: string,
  code: string,
  ending: unknown,
  limits?: Partial<ExecutionLimits>,
][] = [
  [
    'several at once, answered as they are ready',
    `const done = []
     const ask = async (ms) => { await call('wait', ms); done.push(ms) }
     await Promise.all([ask(150), ask(5), ask(70)]); RESULT = done`,
    completed([5, 70, 150]),
  ],
  [
    'a hundred at once, beside a blocking one and a timer',
    `let ticks = 0; const timer = setInterval(() => ticks++, 1)
     const all = Array.from({ length: 100 }, (_, i) => call('echo', i))
     const one = callSync('echo', 'now')
     const values = await Promise.all(all); await call('wait', 50); clearInterval(timer)
     RESULT = [one, values.reduce((a, b) => a + b), ticks > 3]`,
    completed(['now', 4950, true]),
  ],
  [
    'large values at once, faster than they are read',
    `RESULT = (await Promise.all(Array.from({ length: 40 }, () => call('echo', 'x'.repeat(200000))))).map((text) => text.length).every((length) => length === 200000)`,
    completed(true),
  ],
  ['a call that nobody awaits', `RESULT = 0; call('wait', 20).then((n) => { RESULT = n })`, completed(20)],
  ['the code ends while a call is open', `RESULT = 1; call('wait', 200); process.exit(0)`, completed(1)],
  [
    'a rejection that nobody handles',
    `RESULT = 1\ncall('fail', { name: 'ToolError', message: 'x' })`,
    { status: 'threw', error: partly({ name: 'ToolError', line: 2 }) },
  ],
  [
    'calls that take longer than the run may',
    `for (let turn = 0; turn < 100; turn++) callSync('wait', 200)`,
    { status: 'timeout', limit: 'wall', afterMs: 300 },
    // A busy machine counts a tenth of the time that passes.
    { wallMs: 300 },
  ],
]

/** Written past the surface, to the descriptor itself: only a process has one. */
const frame = (text: string) =>
  `const body = Buffer.from(${JSON.stringify(text)}); const head = Buffer.alloc(4); head.writeUInt32BE(body.length); require('fs').writeSync(4, Buffer.concat([head, body]));`
export const forged: [name: string, javascript: string, python: string, ending: unknown][] = [
  ['no JSON', `${frame('\u00011 {{')}`, `os.write(3, b'\\0\\0\\0\\5\\0011 {{')`, crashed],
  ['no number', `${frame('\u0001x ["echo",1]')}`, `os.write(3, b'\\0\\0\\0\\x0d\\1x ["echo",1]')`, crashed],
  ['no name', `${frame('\u00011 [7,1]')}`, `os.write(3, b'\\0\\0\\0\\x08\\0011 [7,1]')`, crashed],
  [
    'a length without end',
    `require('fs').writeSync(4, Buffer.from([0x7f, 255, 255, 255, 1, 1]))`,
    `os.write(3, b'\\x7f\\xff\\xff\\xff\\1\\1')`,
    crashed,
  ],
  [
    'a prototype key is an error in the code',
    `call('echo', JSON.parse('{"__proto__":1}')).catch((error) => { RESULT = error.name })`,
    `RESULT = None\ntry:\n    call('echo', {'__proto__': 1})\nexcept TypeError as error:\n    RESULT = 'TypeError'`,
    completed('TypeError'),
  ],
]
