/** Ways out of vm contexts and realms that are known from published escapes. */
import { type AttackProgram, anyEnd, javascript, nothing, throws } from '../attack.ts'

/** Finds what only a process has, wherever the way leads. */
const findProcess = (way: string) =>
  `RESULT = []; const ways = [${way}]; for (const way of ways) try { const found = way(); const text = typeof found === 'function' || (typeof found === 'object' && found !== null) ? Object.prototype.toString.call(found) : ''; if (found?.mainModule?.require || found?.getBuiltinModule || found?.dlopen) RESULT.push('process ' + text); if (found?.Isolate || found?.ExternalCopy) RESULT.push('isolates') } catch {}`

export const escapes: readonly AttackProgram[] = [
  javascript(
    'constructors of host functions',
    `const host = [require, console.log, setTimeout, URL, URLSearchParams, require('axios').get, require('axios').AxiosError, queueMicrotask]; RESULT = host.flatMap((f) => { try { const g = f.constructor('return globalThis')(); return g === globalThis ? [] : ['another realm'] } catch { return [] } })`,
    nothing,
  ),
  javascript(
    'constructors of host errors',
    `RESULT = []; for (const work of [() => new URL('nope'), () => require('nope'), () => require(Symbol('x')), () => JSON.parse('{')]) try { work() } catch (error) { const g = error.constructor.constructor('return globalThis')(); if (g !== globalThis) RESULT.push(error.message) }`,
    nothing,
  ),
  javascript(
    'prepareStackTrace',
    `RESULT = []; Error.prepareStackTrace = (_, frames) => frames; const frames = new Error().stack; for (const frame of Array.isArray(frames) ? frames : []) for (const name of ['getThis', 'getFunction', 'getEvalOrigin']) try { const found = frame[name]?.(); if (found && found.constructor && found.constructor.constructor('return globalThis')() !== globalThis) RESULT.push(name) } catch {}`,
    anyEnd,
  ),
  javascript(
    'async stack',
    `async function f() { const error = new Error(); error.name = Symbol(); return error.stack } try { await f() } catch (error) { const g = error.constructor.constructor('return globalThis')(); RESULT = g === globalThis ? [] : ['another realm'] } RESULT ??= []`,
    nothing,
  ),
  javascript(
    'overflow in the host',
    `RESULT = []; const go = () => { try { go() } catch {} try { require('nope') } catch (error) { if (error.constructor.constructor('return globalThis')() !== globalThis) RESULT.push('realm') } }; try { go() } catch {}`,
    anyEnd,
    { wallMs: 2000 },
  ),
  javascript(
    'proxies to host functions',
    `RESULT = []; const spy = new Proxy({}, { get: (_, key, receiver) => { if (receiver !== spy) RESULT.push('foreign receiver'); return undefined }, getPrototypeOf: () => Array.prototype }); try { console.log(spy) } catch {} try { process.stdout.write(spy) } catch {} try { new URL(spy) } catch {}`,
    anyEnd,
  ),
  javascript(
    'getters on what is copied',
    `RESULT = []; const trap = { get a() { RESULT.push('called'); return 1 } }; Object.defineProperty(trap, 'b', { enumerable: true, get() { throw new Error('from the getter') } }); try { console.log({ deep: [trap] }) } catch {}`,
    anyEnd,
  ),
  javascript(
    'toString and valueOf on the way',
    `const hostile = { toString() { throw { constructor: null } }, valueOf: 5, [Symbol.toPrimitive]() { return Symbol() } }; RESULT = []; for (const work of [() => console.log('%s %d %j', hostile, hostile, hostile), () => new URL(hostile), () => setTimeout(() => {}, hostile), () => process.exit(hostile)]) try { work() } catch {}`,
    anyEnd,
  ),
  javascript(
    'the runner’s door by patched iterators',
    `const seen = []; const real = Array.prototype[Symbol.iterator]; Array.prototype[Symbol.iterator] = function () { seen.push(...Array.from({ length: this.length }, (_, n) => typeof this[n])); return real.call(this) }; console.log('x'); try { new URL('http://a/') } catch {} Array.prototype[Symbol.iterator] = real; RESULT = []`,
    nothing,
  ),
  javascript(
    'the runner’s door by Function.prototype',
    `const caught = []; const { apply, call } = Function.prototype; Function.prototype.apply = function (...a) { caught.push(this); return Reflect.apply(this, ...a) }; Function.prototype.call = function (self, ...a) { caught.push(this); return Reflect.apply(this, self, a) }; console.log(1); try { new URL('http://a') } catch {} Function.prototype.apply = apply; Function.prototype.call = call; RESULT = caught.flatMap((f) => { try { return f.constructor('return globalThis')() === globalThis ? [] : ['realm'] } catch { return [] } })`,
    nothing,
  ),
  javascript(
    'constructor chains',
    findProcess(
      "() => this.constructor.constructor('return process')(), () => globalThis.constructor.constructor('return this')().process, () => (async () => {}).constructor('return process')(), () => (function* () {}).constructor('return process')().next().value, () => console.constructor.constructor('return process')(), () => Reflect.get(globalThis, '__inside'), () => globalThis.ivm, () => globalThis.$0, () => globalThis._ivm",
    ),
    anyEnd,
  ),
  javascript(
    'import in a function made of text',
    `RESULT = []; try { const module_ = await new Function('return import("node:fs")')(); RESULT.push(typeof module_.readFileSync) } catch {} try { const module_ = await (0, eval)('import("fs")'); RESULT.push(typeof module_.readFileSync) } catch {}`,
    anyEnd,
  ),
  javascript(
    'WeakRef and FinalizationRegistry',
    `RESULT = []; const registry = new FinalizationRegistry((held) => { for (;;); }); for (let n = 0; n < 1000; n++) registry.register({ n }, n); let refs = Array.from({ length: 1000 }, () => new WeakRef({ big: new Array(1000) })); await new Promise((go) => setTimeout(go, 50)); refs = refs.filter((ref) => ref.deref()?.constructor?.constructor('return globalThis')() === null)`,
    anyEnd,
    { wallMs: 1500 },
  ),
  javascript(
    'SharedArrayBuffer as a clock',
    `const shared = new SharedArrayBuffer(1024); const view = new Int32Array(shared); RESULT = []; try { Atomics.wait(view, 0, 0, 50) } catch (error) { RESULT = [] } try { structuredClone(shared); console.log(shared) } catch {}`,
    anyEnd,
  ),
  javascript(
    'vm contexts',
    `const vm = require('vm'); const g = vm.runInNewContext('this.constructor.constructor("return process")()'); RESULT = [typeof g.mainModule].filter((kind) => require('fs').existsSync('/etc/passwd'))`,
    [nothing, throws],
  ),
  javascript(
    'promises of the host',
    `RESULT = []; const axios = require('axios'); const promise = axios.get(BASE_URL + '/x'); const realm = promise.constructor.constructor('return globalThis')(); if (realm !== globalThis) RESULT.push('realm'); const answer = await promise; for (const value of [answer, answer.headers, answer.config, answer.data]) if (value.constructor && value.constructor.constructor('return globalThis')() !== globalThis) RESULT.push('realm of a value'); Promise.prototype.constructor = function () { throw 1 }`,
    nothing,
  ),
  javascript(
    'thenables in the runner’s hands',
    `Promise.prototype.then = new Proxy(Promise.prototype.then, { apply(target, self, args) { for (const arg of args) if (typeof arg === 'function' && arg.constructor('return globalThis')() !== globalThis) RESULT = ['realm']; return Reflect.apply(target, self, args) } }); RESULT = []; const axios = require('axios'); await axios.get(BASE_URL + '/x')`,
    anyEnd,
  ),
  javascript(
    'arguments of callers',
    `function f() { return f.caller ?? f.arguments?.callee?.caller } RESULT = []; let at = f; for (let n = 0; n < 20 && at; n++) { try { at = at.caller } catch { break } if (at && at.constructor('return globalThis')() !== globalThis) RESULT.push('realm') }`,
    [nothing, throws],
  ),
  javascript(
    'many requests in flight at the end',
    `const axios = require('axios'); for (let n = 0; n < 15; n++) axios.get(BASE_URL + '/slow/300').catch(() => {}); RESULT = 1; setTimeout(() => process.exit(0), 30)`,
    anyEnd,
  ),
  javascript(
    'an answer while the process is ending',
    `const axios = require('axios'); for (let n = 0; n < 10; n++) axios.get(BASE_URL + '/x').then(() => { process.exit(0) }, () => {}); RESULT = 1; await new Promise(() => {})`,
    anyEnd,
  ),
  javascript(
    'natives syntax and flags',
    `require('v8').setFlagsFromString('--allow-natives-syntax'); RESULT = []; try { RESULT.push(eval('%GetOptimizationStatus(function () {})') ? 'natives' : 'none') } catch {}`,
    anyEnd,
  ),
  javascript(
    'heap snapshots',
    `const v8 = require('v8'); const name = v8.writeHeapSnapshot('/tmp/heap'); const text = require('fs').readFileSync(name, 'latin1'); RESULT = ['USER=', 'SSH_', 'CANARY'].filter((word) => text.includes(word + '=')).slice(0, 0)`,
    anyEnd,
  ),
]
