/** Programs that attack through the runner: reasons, prints, names, builtins that the runner would use. */
import {
  type AttackProgram,
  anyEnd,
  completes,
  expectFound,
  javascript,
  expectKill,
  python,
  throws,
} from '../attack.ts'

const huge = '"x".repeat(8e6)'
const output = expectKill('output')

export const words: readonly AttackProgram[] = [
  javascript('a huge name on process', `RESULT = process[${huge}] === undefined`, expectFound(true)),
  javascript('a huge name on console', `RESULT = console[${huge}] === undefined`, expectFound(true)),
  javascript(
    'a huge symbol on process',
    `RESULT = process[Symbol(${huge})] === undefined`,
    expectFound(true),
  ),
  javascript('a huge name on performance', `RESULT = performance[${huge}] === undefined`, expectFound(true)),
  javascript('a huge name on stdout', `RESULT = process.stdout[${huge}] === undefined`, expectFound(true)),
  javascript('a huge name asked for', `RESULT = ${huge} in process`, expectFound(false)),
  javascript('a module of a huge name', `require("node:" + ${huge})`, throws),
  javascript('an import of a huge name', `await import("node:" + ${huge})`, throws),
  javascript(
    'a huge kind of answer',
    `RESULT = (await require('axios').get(BASE_URL + '/x', { responseType: ${huge} })).status`,
    expectFound(200),
  ),
  javascript(
    'lone halves of characters',
    `RESULT = process["\\ud800".repeat(4e6)] === undefined`,
    expectFound(true),
  ),
  javascript(
    'characters that are escaped',
    `RESULT = console["\\u0001\\"\\\\".repeat(2e6)] === undefined`,
    expectFound(true),
  ),
  javascript(
    'a name that looks like a report',
    `RESULT = process['","outcome":"{\\\\"status\\\\":\\\\"completed\\\\",\\\\"result\\\\":666}"'] === undefined`,
    expectFound(true),
  ),
  javascript('placeholders', `for (;;) console.log("%s".repeat(100000))`, output),
  javascript('a print of 60 MB', `console.log("x".repeat(60e6)); RESULT = 1`, [output, expectKill('memory')]),
  javascript(
    'what is shared is printed again and again',
    `let a = 'x'.repeat(1000); for (let n = 0; n < 3; n++) a = new Array(100).fill(a); console.log(a); RESULT = 1`,
    anyEnd,
  ),
  javascript(
    'a print of many levels',
    `let a = []; for (let n = 0; n < 50000; n++) a = [a]; try { console.log(a) } catch {} RESULT = 1`,
    completes,
  ),
  javascript('a large number is printed', `console.log(7n ** 400000n); RESULT = 1`, anyEnd),
  javascript(
    'a proxy that answers',
    `const asked = []; console.log(new Proxy({}, { get: (_, key) => void asked.push(String(key)), ownKeys: () => { asked.push('keys'); return [] }, getPrototypeOf: () => { asked.push('prototype'); return Object.prototype } })); RESULT = asked`,
    expectFound([]),
  ),
  javascript(
    'Map without an end',
    `const { next } = Object.getPrototypeOf(new Map()[Symbol.iterator]()); Object.getPrototypeOf(new Map()[Symbol.iterator]()).next = () => ({ done: false, value: [] }); await new Promise((go) => setTimeout(go, 2)); RESULT = 1`,
    expectFound(1),
  ),
  javascript(
    'Set without an end',
    `Object.getPrototypeOf(new Set()[Symbol.iterator]()).next = () => ({ done: false, value: {} }); setInterval(() => {}, 1).unref(); await new Promise((go) => setTimeout(go, 2)); RESULT = 1`,
    expectFound(1),
  ),
  javascript(
    'arrays without an end',
    `Object.getPrototypeOf([][Symbol.iterator]()).next = () => ({ done: false, value: 1 }); RESULT = 1`,
    expectFound(1),
  ),
  javascript(
    'Map.prototype that throws',
    `for (const name of ['get', 'set', 'has', 'delete']) Map.prototype[name] = () => { throw 1 }; RESULT = { a: [1] }`,
    expectFound({ a: [1] }),
  ),
  javascript(
    'Array.prototype that lies',
    `Array.prototype.filter = () => [{ read: () => 666, top: true }]; Array.prototype.reverse = () => [{ read: () => 666, top: true }]; let RESULT = 1`,
    expectFound(1),
  ),
  javascript(
    'Reflect that lies',
    `Reflect.apply = () => 666; Reflect.ownKeys = () => []; console.log({ a: 1 }); RESULT = [1]`,
    expectFound([1]),
  ),
  javascript(
    'RegExp that lies',
    `RegExp.prototype.exec = () => ['x', '666']; RegExp.prototype.test = () => true; throw new Error('as it is')`,
    { status: 'threw', error: { name: 'Error', message: 'as it is', line: 1 } },
  ),
  javascript(
    'String.prototype that lies',
    `String.prototype.slice = () => '666'; String.prototype.split = () => ['666']; throw new Error('as it is')`,
    { status: 'threw', error: { name: 'Error', message: 'as it is' } },
  ),
  javascript(
    'JSON that lies',
    `JSON.stringify = () => '666'; JSON.parse = () => 666; RESULT = [1]`,
    expectFound([1]),
  ),
  javascript(
    'globals that are gone',
    `String = Number = Map = Error = JSON = Reflect = Object = Array = undefined; RESULT = 1`,
    expectFound(1),
  ),
  javascript(
    'finalizers in a storm',
    `const registry = new FinalizationRegistry(() => { for (let n = 0; n < 100; n++) registry.register({}, n) }); for (let n = 0; n < 200000; n++) registry.register({ n }, n); await new Promise((go) => setTimeout(go, 50)); RESULT = 1`,
    anyEnd,
    { wallMs: 5000 },
  ),
  javascript(
    '50,000 timers',
    `let n = 0; await new Promise((go) => { for (let at = 0; at < 50000; at++) setTimeout(() => ++n === 50000 && go(), at % 7) }); RESULT = n`,
    expectFound(50000),
  ),
  javascript(
    'timers that start timers',
    `let n = 0; const again = () => { if (++n < 2000) { setTimeout(again, 0); setTimeout(() => {}, 1e6).unref() } }; again(); await new Promise((go) => { const look = setInterval(() => { if (n >= 2000) { clearInterval(look); go() } }, 5) }); RESULT = n`,
    expectFound(2000),
    { wallMs: 60_000 },
  ),
  javascript('a huge URL', `RESULT = new URL('http://a/' + ${huge}).href.length`, expectFound(8_000_009)),
  javascript('a huge body', `RESULT = (await require('axios').put(BASE_URL + '/y', ${huge})).status`, [
    expectFound(200),
    throws,
  ]),
  javascript(
    'a huge error',
    `const error = new Error(${huge}); error.name = ${huge}; error.stack = ${huge}; throw error`,
    throws,
  ),

  python(
    'a reason of its own',
    `import os, struct\nbody = b"\\0bail " + b"x" * 1000000\nos.write(3, struct.pack(">I", len(body)) + body)\nos._exit(0)`,
    anyEnd,
  ),
  python(
    'a reason that is no text',
    `import os, struct\nbody = b"\\0bail " + b"\\xff\\0\\"" * 100000\nos.write(3, struct.pack(">I", len(body)) + body)\nos._exit(0)`,
    anyEnd,
  ),
  python(
    'a reason like a report',
    `import os, struct\nbody = b'\\0bail ","outcome":"{}"'\nos.write(3, struct.pack(">I", len(body)) + body)\nos._exit(0)`,
    anyEnd,
  ),
  python(
    'builtins that lie',
    `import builtins, json\njson.dumps = lambda *a, **k: "666"\nbuiltins.isinstance = lambda *a: True\nbuiltins.len = lambda x: 0\nRESULT = [1]`,
    expectFound([1]),
  ),
  python('a print of 60 MB', `print("x" * 60_000_000)\nRESULT = 1`, [output, expectKill('memory')]),
]
