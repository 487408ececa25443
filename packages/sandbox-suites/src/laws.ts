/** Laws of every Sandbox, whatever is behind it. Call inside a test file; the adapter is made once. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { ExecutionEnding, ExecutionInput, ExecutionLimits, Observation } from '@stateeval/contracts'
import { createFakeWorld, type FakeWorld } from './fakes.ts'
import { completeLimits, type Sandbox } from '@stateeval/sandbox'

const oneInput: ExecutionInput[] = [
  { variables: { user_variable_0: { name: 'a' } }, world: { '/x': { n: 1 } } },
]
const never = new AbortController().signal
const axios = "const axios = require('axios');"

interface LawOptions {
  /** Adapters without a jail can’t hold these; they say so in their level. */
  jailed: boolean
}

export function sandboxLaws(
  name: string,
  make: () => Promise<Sandbox>,
  { jailed }: LawOptions = { jailed: true },
) {
  describe(`${name} holds the sandbox laws`, () => {
    let sandbox: Sandbox
    let world: FakeWorld
    beforeAll(async () => {
      sandbox = await make()
      world = createFakeWorld()
    })
    afterAll(async () => {
      expect(world.opened()).toBe(0)
      await sandbox.close()
    })
    const runAll = (code: string, inputs = oneInput, limits: Partial<ExecutionLimits> = {}) =>
      sandbox.run({ language: 'javascript', code, inputs, world, limits: completeLimits(limits) }, never)
    const run = async (code: string, limits: Partial<ExecutionLimits> = {}): Promise<Observation> =>
      (await runAll(code, oneInput, limits))[0]!
    const ending = async (code: string, limits?: Partial<ExecutionLimits>): Promise<ExecutionEnding> =>
      (await run(code, limits)).ending
    const completed = (result: unknown) => ({ status: 'completed', result })

    test('a program talks to its world, prints, and gives RESULT', async () => {
      const {
        ending,
        world,
        log,
        output,
        sandbox: level,
      } = await run(`${axios}
        const { data } = await axios.get(BASE_URL + '/x')
        await axios.put(\`\${BASE_URL}/y\`, { name: user_variable_0.name, n: data.n + 1 })
        console.log('out'); console.error('err %d', 1); process.stdout.write('end')
        RESULT = { data }`)
      expect(ending).toEqual(completed({ data: { n: 1 } }))
      expect(world?.state).toEqual({ '/x': { n: 1 }, '/y': { name: 'a', n: 2 } })
      expect(log.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
        'GET /x 200',
        'PUT /y 200',
      ])
      expect(output).toBe('out\nerr 1\nend')
      expect(level).toBe(sandbox.level)
    })

    describe('RESULT is read wherever it is written', () => {
      test.each([
        ['const', 'const RESULT = 1'],
        ['let, set later', 'let RESULT; if (true) { RESULT = 1 } else { RESULT = 2 }'],
        ['var', 'var RESULT = 1'],
        ['blocks', 'if (user_variable_0) { const RESULT = 1 } else { const RESULT = 2 }'],
        ['an if without braces', 'if (1) var RESULT = 1; else var RESULT = 2'],
        ['several in one declaration', 'let a = 1, RESULT = a, b = 2'],
        ['a pattern', 'const { n: RESULT } = { n: 1 }'],
        ['main, awaited', 'async function main() { await null; RESULT = 1 }\nawait main()'],
        [
          'main, not awaited',
          'async function main() { await new Promise((go) => setTimeout(go, 20)); RESULT = 1 }\nmain()',
        ],
        [
          'main’s own const',
          'async function main() { const RESULT = 1; return RESULT }\nmain().then(() => process.exit(0))',
        ],
        ['a chain', 'Promise.resolve(1).then((value) => { RESULT = value })'],
        ['before an exit', 'RESULT = 1; process.exit(3)'],
        ['before a return', 'RESULT = 1; return'],
        ['strict', "'use strict'; RESULT = 1"],
        ['globalThis', 'globalThis.RESULT = 1'],
        ['export', 'export const RESULT = 1'],
        ['module.exports', 'RESULT = 1; module.exports = { RESULT }'],
        ['a hashbang', '#!/usr/bin/env node\nRESULT = 1'],
        ['a trailing comment', 'RESULT = 1 // done'],
      ])('%s', async (_, code) => expect(await ending(code)).toEqual(completed(1)))
    })

    describe('programs as models write them', () => {
      test.each([
        [
          'import',
          "import axios, { AxiosError } from 'axios'\nimport * as url from 'node:url'\nRESULT = [typeof axios.get, typeof AxiosError, typeof url.parse]",
          ['function', 'function', 'function'],
        ],
        [
          'dynamic import',
          "const { default: axios } = await import('axios'); const { format } = await import('util'); RESULT = [typeof axios.get, format('%s', 1)]",
          ['function', '1'],
        ],
        [
          'require of builtins',
          "RESULT = ['http', 'https', 'node:url', 'crypto', 'util', 'assert', 'querystring', 'timers/promises', 'events', 'stream', 'buffer', 'path', 'fs'].map((name) => typeof require(name))",
          [
            ...Array<string>(5).fill('object'),
            'function',
            'object',
            'object',
            'function',
            'function',
            'object',
            'object',
            'object',
          ],
        ],
        [
          'redeclared variables',
          "const user_variable_0 = 1; let BASE_URL = 'b'; RESULT = [user_variable_0, BASE_URL]",
          [1, 'b'],
        ],
        [
          'a var that keeps its global',
          'var user_variable_0 = user_variable_0 || 1; RESULT = user_variable_0',
          { name: 'a' },
        ],
        ['environment', 'RESULT = process.env.BASE_URL === BASE_URL', true],
        [
          'fetch',
          "const answer = await fetch(BASE_URL + '/x'); RESULT = [answer.status, await answer.json()]",
          [200, { n: 1 }],
        ],
        [
          'http',
          "const http = require('http'); RESULT = await new Promise((done) => http.get(BASE_URL + '/x', (answer) => answer.on('data', (text) => done(JSON.parse(text)))))",
          { n: 1 },
        ],
        [
          'an instance',
          `${axios} const api = axios.create({ baseURL: BASE_URL }); RESULT = (await api.get('/x')).data`,
          { n: 1 },
        ],
        [
          'at once',
          `${axios} RESULT = (await Promise.all([1, 2, 3].map(() => axios.get(BASE_URL + '/x')))).map(({ data }) => data.n)`,
          [1, 1, 1],
        ],
        [
          'a caught error',
          `${axios} try { await axios.get(BASE_URL + '/none') } catch (error) { RESULT = error.response.status }`,
          404,
        ],
        [
          'nested as deep as may be',
          'RESULT = []; for (let i = 0; i < 63; i++) RESULT = [RESULT]',
          JSON.parse('['.repeat(64) + ']'.repeat(64)),
        ],
        [
          'undefined members',
          'RESULT = { a: undefined, b: [undefined], d: new Date(0) }',
          { b: [null], d: '1970-01-01T00:00:00.000Z' },
        ],
      ])('%s', async (_, code, result) => expect(await ending(code)).toEqual(completed(result)))
    })

    describe('what is no result', () => {
      test.each([
        ['nothing', 'const a = 1', /never set/],
        ['undefined', 'RESULT = undefined', /never set/],
        ['a function', 'RESULT = () => 1', /function/],
        ['a cycle', 'RESULT = {}; RESULT.self = RESULT', /circular/i],
        ['a BigInt', 'RESULT = { a: [1n] }', /RESULT\.a\[0\]|BigInt/],
        ['NaN', 'RESULT = { a: [{ b: NaN }] }', /RESULT\.a\[0\]\.b is NaN/],
        ['Infinity', 'RESULT = -Infinity', /RESULT is -Infinity/],
        ['a getter that throws', 'RESULT = { get a() { throw new Error("no") } }', /no/],
        ['depth', 'RESULT = []; for (let i = 0; i < 5000; i++) RESULT = [RESULT]', /nested/],
        [
          'one level too many',
          'RESULT = []; for (let i = 0; i < 64; i++) RESULT = [RESULT]',
          /more than 64 levels/,
        ],
        ['a prototype key', 'RESULT = JSON.parse(\'{"__proto__": {"a": 1}}\')', /__proto__/],
        ['an early exit', 'process.exit(0); RESULT = 1', /not set when the code ended/],
        ['a promise that never settles', 'await new Promise(() => {}); RESULT = 1', /never settles/],
      ])('%s', async (_, code, reason) =>
        expect(await ending(code)).toEqual({ status: 'no_result', reason: expect.stringMatching(reason) }),
      )
    })

    describe('errors tell where and why', () => {
      test.each([
        ['a throw', '\n\nthrow new TypeError("bad")', { name: 'TypeError', message: 'bad', line: 3 }],
        ['on the first line', 'null.x', { name: 'TypeError', line: 1 }],
        [
          'in a function',
          'function f() {\n  return undefinedName\n}\nRESULT = f()',
          { name: 'ReferenceError', line: 2 },
        ],
        [
          'an HTTP status',
          `${axios}\n\nawait axios.get(BASE_URL + '/none')`,
          { name: 'AxiosError', status: 404, line: 3 },
        ],
        ['after RESULT', 'RESULT = 1\nthrow new Error("late")', { message: 'late', line: 2 }],
        [
          'an unhandled rejection',
          'RESULT = 1\nPromise.reject(new RangeError("loose"))',
          { name: 'RangeError', message: 'loose', line: 2 },
        ],
        ['in a timer', 'setTimeout(() => {\n  throw new Error("timer") }, 1)', { message: 'timer', line: 2 }],
        ['no error at all', 'throw "text"', { message: 'text' }],
        [
          'a module that isn’t there',
          'RESULT = 1;\nrequire("lodash")',
          { message: "Cannot find module 'lodash'", line: 2 },
        ],
        [
          'an import that isn’t there',
          'import _ from "lodash"\nRESULT = 1',
          { message: "Cannot find module 'lodash'" },
        ],
        ['a hostile error', 'throw Object.defineProperty(new Error(), "message", { get() { throw 1 } })', {}],
      ])('%s', async (_, code, error) =>
        expect(await ending(code)).toEqual({ status: 'threw', error: expect.objectContaining(error) }),
      )

      test('frames are the candidate’s only', async () => {
        const { error } = (await ending(
          'const axios = require("axios")\nasync function f() {\n  await axios.get(BASE_URL + "/none")\n}\nawait f()',
        )) as Extract<ExecutionEnding, { status: 'threw' }>
        expect(error.stack?.split('\n').every((frame) => frame.includes('candidate.js'))).toBe(true)
      })
    })

    describe('what is no program never starts', () => {
      test.each([
        ['syntax', 'const a = 1\nconst = 2', { reason: 'syntax', error: { name: 'SyntaxError', line: 2 } }],
        ['a name declared twice', 'let a\nlet a', { reason: 'syntax', error: { line: 2 } }],
        ['another language', 'import axios\nprint("x")', { reason: 'syntax', error: {} }],
        ['depth', `${'['.repeat(100_000)}`, { reason: 'syntax', error: {} }],
        ['nothing', '', { reason: 'no_code', error: {} }],
        ['white space', ' \n\t', { reason: 'no_code', error: {} }],
      ])('%s', async (_, code, expected) => {
        const observation = await run(code)
        expect(observation.ending).toMatchObject({ status: 'refused', ...expected })
        expect(observation.world).toBeNull()
      })
    })

    describe('every limit has its ending', () => {
      const wall = { wallMs: 700 }
      test.each<[string, string, Partial<ExecutionLimits>, ExecutionEnding]>([
        ['an endless loop', 'for (;;);', wall, { status: 'timeout', limit: 'wall', afterMs: 700 }],
        [
          'endless microtasks',
          // Nothing is returned: a chain of promises would fill the memory before the time is up.
          'const f = () => void Promise.resolve().then(f); f(); await new Promise(() => {})',
          wall,
          { status: 'timeout', limit: 'wall', afterMs: 700 },
        ],
        [
          'timers',
          'RESULT = 1; setInterval(() => {}, 10)',
          wall,
          { status: 'timeout', limit: 'wall', afterMs: 700 },
        ],
        [
          'CPU time',
          'for (;;);',
          { cpuSeconds: 1, wallMs: 60_000 },
          { status: 'timeout', limit: 'cpu', afterMs: 1000 },
        ],
        [
          'heap',
          'const a = []; for (;;) a.push(new Array(1e5).fill(1))',
          { memoryMiB: 128 },
          { status: 'killed', by: 'memory' },
        ],
        [
          'buffers',
          'const a = []; for (;;) { a.push(Buffer.alloc(1 << 24, 1)); await new Promise((go) => setTimeout(go, 5)) }',
          { memoryMiB: 128 },
          { status: 'killed', by: 'memory' },
        ],
        [
          'a flood of output',
          'for (;;) console.log("x".repeat(100))',
          { outputKiB: 1 },
          { status: 'killed', by: 'output' },
        ],
        ['a large RESULT', 'RESULT = "x".repeat(2000)', { resultKiB: 1 }, { status: 'killed', by: 'result' }],
        [
          'threads',
          'const { Worker } = require("worker_threads"); for (let i = 0; i < 60; i++) new Worker("setInterval(() => {}, 100)", { eval: true })',
          { processes: 40, memoryMiB: 4096 },
          { status: 'killed', by: 'processes' },
        ],
        [
          'requests',
          `${axios} for (let i = 0; i < 20; i++) await axios.get(BASE_URL + '/x').catch(() => {})\nRESULT = 1`,
          { requests: 10 },
          { status: 'killed', by: 'requests' },
        ],
        ['aborting itself', 'process.abort()', {}, { status: 'killed', by: 'crash' }],
      ])('%s', async (_, code, limits, expected) =>
        expect(await ending(code, limits)).toMatchObject(expected),
      )

      test('output is cut at the limit', async () => {
        const { output, ending } = await run('console.log("é".repeat(1000)); RESULT = 1', { outputKiB: 1 })
        expect(ending).toEqual(completed(1))
        expect(output).toBe('é'.repeat(512))
      })
      test('the next input runs after one that was killed', async () => {
        const inputs = [1, 2].map((n) => ({ variables: { n }, world: {} }))
        const [first, second] = await runAll('if (n === 1) for (;;);\nRESULT = n', inputs, wall)
        expect(first!.ending.status).toBe('timeout')
        expect(second!.ending).toEqual(completed(2))
      })
    })

    describe('words on the channel are checked', () => {
      const frame = (text: string) =>
        `const body = Buffer.from(${JSON.stringify(text)}); const head = Buffer.alloc(4); head.writeUInt32BE(body.length); require('fs').writeSync(4, Buffer.concat([head, body]));`
      test.each([
        ['noise', "require('fs').writeSync(4, 'hello'); RESULT = 1"],
        ['no outcome', `${frame('{"status":"passed"}')} process.reallyExit(0)`],
        ['no JSON', `${frame('{{{')} process.reallyExit(0)`],
        ['two outcomes', `${frame('{"status":"completed","result":1}')} RESULT = 2`],
        [
          'a prototype key',
          `${frame('{"status":"completed","result":{"__proto__":1}}')} process.reallyExit(0)`,
        ],
        [
          'a flood',
          "const noise = Buffer.alloc(1 << 20); for (let i = 0; i < 10; i++) require('fs').writeSync(4, noise)",
        ],
      ])('%s', async (_, code) => expect(await ending(code)).toMatchObject({ status: 'killed', by: 'crash' }))
    })

    describe('runs don’t meet', () => {
      test('each input has fresh globals, modules, files and world', async () => {
        const code = `${axios} const fs = require('fs')
          const seen = [globalThis.mark, Array.prototype.mark, axios.mark, fs.mark, fs.existsSync('/tmp/stateeval-law-mark')]
          globalThis.mark = Array.prototype.mark = axios.mark = fs.mark = 1
          try { fs.writeFileSync('/tmp/stateeval-law-mark', '') } catch {}
          await axios.put(BASE_URL + '/mark', { n })
          RESULT = { seen: seen.map((mark) => mark ?? null), n }
          ${jailed ? '' : "fs.rmSync('/tmp/stateeval-law-mark')"}`
        const observations = await runAll(
          code,
          [1, 2, 3].map((n) => ({ variables: { n }, world: {} })),
        )
        expect(observations.map(({ ending }) => ending)).toEqual(
          [1, 2, 3].map((n) => completed({ seen: [null, null, null, null, false], n })),
        )
        expect(observations.map(({ world }) => world!.state)).toEqual(
          [1, 2, 3].map((n) => ({ '/mark': { n } })),
        )
      })
      test('sixteen at once see what one alone sees', async () => {
        const code = `${axios} await axios.put(BASE_URL + '/y', { n }); console.log(n); RESULT = (await axios.get(BASE_URL + '/y')).data`
        const once = (n: number) => runAll(code, [{ variables: { n }, world: { '/x': n } }])
        const withoutTimes = (observations: Observation[]) =>
          observations.map(({ wallMs: _, seed: __, ...rest }) => rest)
        const alone = withoutTimes(await once(7))
        const together = await Promise.all(Array.from({ length: 16 }, () => once(7)))
        for (const observations of together) expect(withoutTimes(observations)).toEqual(alone)
      })
      test('an abort ends the run at once and leaves nothing', async () => {
        const aborting = new AbortController()
        const endless = completeLimits({ wallMs: 600_000, cpuSeconds: 600 })
        const work = sandbox.run(
          { language: 'javascript', code: 'for (;;);', inputs: oneInput, world, limits: endless },
          aborting.signal,
        )
        setTimeout(() => aborting.abort(new Error('stopped')), 300)
        await expect(work).rejects.toThrow('stopped')
        expect(world.opened()).toBe(0)
      })
    })

    describe('our failures are ours', () => {
      test.each([
        ['open', 2],
        // The run, known work, the run again.
        ['observe', 3],
      ] as const)('a world that fails to %s', async (what, times) => {
        world.fail(what, times)
        const { ending } = await run('RESULT = 1')
        expect(ending).toMatchObject({
          status: 'infrastructure',
          reason: expect.stringMatching(/world failed/),
        })
        world.fail(what, 1)
        // One hiccup is survived where the sandbox tries again.
        expect(['completed', 'infrastructure']).toContain((await run('RESULT = 1')).ending.status)
      })
      test('a world that fails for one program only is the program’s failure, however it words it', async () => {
        const { ending, faults } = await run(
          `const axios = require('axios'); await axios.get(BASE_URL + '/fault/' + Math.random(), { validateStatus: null }); RESULT = 1`,
        )
        expect(ending).toMatchObject({
          ...{ status: 'killed', by: 'requests' },
          detail: expect.stringMatching(/the fake failed at/),
        })
        expect(faults).toEqual([])
        expect(await run('RESULT = 1')).toMatchObject({ ending: { status: 'completed' } })
      })
    })

    if (jailed)
      describe('the jail', () => {
        test.each([
          [
            'the host’s files',
            // A folder without anything in it tells nothing.
            "const fs = require('fs'); const holds = (path) => !fs.statSync(path).isDirectory() || fs.readdirSync(path).length > 0; RESULT = ['/etc/passwd', '/home', '/root', '/usr/bin', '/bin/sh', '/var', '/sys'].filter((path) => fs.existsSync(path) && holds(path))",
            [],
          ],
          [
            'the root is read-only',
            // gVisor's kernel looks at permissions first.
            "const fs = require('fs'); RESULT = ['/', '/runner', '/bin', '/etc'].filter((path) => { try { fs.writeFileSync(path + '/x', ''); return true } catch (error) { return error.code !== 'EROFS' && error.code !== 'EACCES' } })",
            [],
          ],
          [
            'the environment',
            'RESULT = Object.keys(process.env).sort().join()',
            'BASE_URL,HOME,LANG,PATH,PWD,TMPDIR,TZ',
          ],
          [
            'other processes',
            "const fs = require('fs'); RESULT = fs.existsSync('/proc/self') ? fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).length <= 3 : true",
            true,
          ],
          [
            'privileges',
            "const fs = require('fs'); const status = fs.existsSync('/proc/self/status') ? fs.readFileSync('/proc/self/status', 'utf8') : 'CapEff:\\t0000000000000000\\nNoNewPrivs:\\t1'; RESULT = [/CapEff:\\t0+\\n/.test(status), /NoNewPrivs:\\t1/.test(status)]",
            [true, true],
          ],
          ['network interfaces', "RESULT = Object.keys(require('os').networkInterfaces())", ['lo']],
        ])('%s', async (_, code, result) => expect(await ending(code)).toEqual(completed(result)))
        test.each([
          'http://1.1.1.1/',
          'http://127.0.0.1:22/',
          'http://10.0.0.1/',
          'http://169.254.169.254/',
          'http://example.com/',
        ])('%s cannot be reached', async (url) => {
          expect(await ending(`${axios} await axios.get('${url}', { timeout: 3000 })`)).toMatchObject({
            status: 'threw',
          })
        })
      })
  })
}
