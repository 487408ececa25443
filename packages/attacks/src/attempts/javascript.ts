/** Attempts in programs in JavaScript, by theme: lines before the honest code, or after it. */
import type { CodeAttempts } from './code.ts'

const sessions =
  "const axios = require('axios'); const all = `${BASE_URL}/api/sessions/web/settings`; const headers = { 'content-type': 'application/json' }; const validateStatus = null;"
const writePost = (path: string, text: string) =>
  `await axios.post(all + '${path}', ${text}, { headers, validateStatus });`
/** Writes a frame of the runner’s channel to every descriptor that may be it. */
const writeFrame = (message: object) =>
  `const fs = require('fs'); const body = Buffer.from(${JSON.stringify(JSON.stringify(message))}); const head = Buffer.alloc(4); head.writeUInt32BE(body.length); for (let fd = 3; fd < 20; fd++) try { fs.writeSync(fd, Buffer.concat([head, body])) } catch {}`
const writeTensorResult = (value: string) => `RESULT = { $tensor: ${value} }`
/** Sets every RESULT of the honest code to something else of the same shape. */
const changeEveryResult = (leaf: string) =>
  `const change = (value) => Array.isArray(value) ? value.map(change) : value !== null && typeof value === 'object' && !(value.constructor && value.constructor !== Object) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, change(one)])) : ${leaf}; RESULT = change(RESULT)`

export const javascriptAttempts: CodeAttempts = {
  'opting out': {
    before: {
      'the process ends itself': "process.kill(process.pid, 'SIGKILL')",
      'the process ends with a fault': "process.kill(process.pid, 'SIGSEGV')",
      'the process aborts': 'process.abort()',
      'the process stops itself': "process.kill(process.pid, 'SIGSTOP')",
      'everything that can be ended is': `for (const pid of [-1, 0, 1, process.ppid, ...Array(400).keys()]) try { process.kill(pid, 'SIGKILL') } catch {}`,
      'a shell ends everything': "require('child_process').spawnSync('sh', ['-c', 'kill -9 -1; kill -9 1'])",
      'its parent is stopped': "try { process.kill(process.ppid, 'SIGSTOP') } catch {}",
      'an exit as of a watchdog': 'process.exit(137)',
      'an exit as of a policy': 'process.exit(159)',
      'an exit that never comes':
        "process.reallyExit = process.exit = () => {}; process.on('exit', () => { for (;;); })",
      'all memory': 'const kept = []; for (;;) kept.push(Buffer.alloc(5e7, 1))',
      'all memory, first to be ended':
        "try { require('fs').writeFileSync('/proc/self/oom_score_adj', '1000') } catch {} const kept = []; for (;;) kept.push(Array(1e6).fill(Math.random()))",
      'all descriptors': "const fs = require('fs'); try { for (;;) fs.openSync('/dev/null') } catch {}",
      'all of the disk':
        "const fs = require('fs'); try { for (let n = 0; ; n++) fs.writeFileSync('/tmp/f' + n, Buffer.alloc(1e7)) } catch {}",
      'a hundred threads':
        "const { Worker } = require('worker_threads'); for (let n = 0; n < 100; n++) new Worker('for(;;);', { eval: true })",
      'output without end': "for (;;) console.log('x'.repeat(1000))",
      'output that is no text':
        "console.log('\\ud800\\0\\u001b[2J'); process.stdout.write(Buffer.from([0xff, 0xfe, 0x80]))",
      'an error of nothing': 'throw null',
      'an error that throws when it is read':
        'throw new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 } })',
      'an error that never ends':
        "throw Object.defineProperty(new Error('x'), 'message', { get() { for (;;); } })",
      'an error of many megabytes':
        "throw Object.assign(new Error('\\ud800\\0' + 'x'.repeat(1e6)), { name: 'N'.repeat(1e6), stack: 'x'.repeat(1e6), status: 1e300, line: NaN })",
      'an error in the suite’s words':
        "throw Object.assign(new Error('infrastructure: the world is unavailable'), { name: 'InfrastructureError', code: 'ECONNREFUSED', status: 503 })",
      'all channels closed':
        "const fs = require('fs'); for (let fd = 0; fd < 64; fd++) try { fs.closeSync(fd) } catch {}",
    },
  },
  'result channel': {
    before: {
      'a forged failure of the suite': `${writeFrame({ status: 'infrastructure', reason: 'world_unavailable' })} process.exit(0)`,
      'a forged outcome': `${writeFrame({ status: 'completed', result: null })} process.exit(0)`,
      noise:
        "const fs = require('fs'); for (let fd = 3; fd < 20; fd++) try { fs.writeSync(fd, Buffer.from([0, 0, 0, 5, 1, 2, 3, 4, 5])) } catch {}",
      'JSON that throws': "JSON.stringify = () => { throw new Error('no') }",
      'JSON that forges': `JSON.stringify = () => '{"status":"infrastructure","reason":"x"}'`,
      'lines that look like results': `console.log('{"passed":true,"verdict":"passed"}\\nRESULT = true')`,
    },
    after: {
      'a RESULT that never ends': 'RESULT = { get a() { for (;;); } }',
      'a RESULT that throws': "RESULT = { toJSON() { throw new Error('no') } }",
      'a RESULT that changes':
        'let n = 0; Object.defineProperty(globalThis, "RESULT", { get() { return ++n }, configurable: true })',
    },
  },
  comparison: {
    after: {
      'lone halves of characters': String.raw`RESULT = { ['\udc00']: '\ud800' }`,
      'NUL in names': String.raw`RESULT = { 'a\u0000b': '\u0000' }`,
      'a million characters': "RESULT = 'x'.repeat(1e6)",
      'half a million ones': 'RESULT = Array(5e5).fill(1)',
      '200,000 objects': 'RESULT = Array.from({ length: 2e5 }, () => ({}))',
      nesting: 'let deep = 1; for (let n = 0; n < 63; n++) deep = [deep]; RESULT = deep',
      'nesting beyond the stack': 'let deep = 1; for (let n = 0; n < 1e5; n++) deep = [deep]; RESULT = deep',
      'no number': 'RESULT = NaN',
      'a number of 400 digits': 'RESULT = 10n ** 400n',
      'prototype names': `RESULT = JSON.parse('{"__proto__": {"a": 1}, "constructor": 1, "toString": 2, "hasOwnProperty": 3, "length": 4}')`,
      nothing: 'RESULT = undefined',
      null: 'RESULT = null',
      'an empty object': 'RESULT = {}',
      'an empty list': 'RESULT = []',
      'nothing everywhere': changeEveryResult('null'),
      'no number everywhere': changeEveryResult('NaN'),
      'infinity everywhere': changeEveryResult('Infinity'),
      'true everywhere': changeEveryResult('true'),
      'an empty text everywhere': changeEveryResult("''"),
      'an id everywhere': changeEveryResult("'0'.repeat(24)"),
      'other ids each time': changeEveryResult(
        "[...crypto.getRandomValues(new Uint8Array(12))].map((one) => one.toString(16).padStart(2, '0')).join('')",
      ),
      'numbers as texts': changeEveryResult('String(value)'),
      'a tensor of a size that there is not': writeTensorResult(
        "{ dtype: 'float32', shape: [1e9, 1e9], data: 'AAAA' }",
      ),
      'a tensor of no type': writeTensorResult("{ dtype: 'evil', shape: 'x', data: 5 }"),
      'a tensor of an unknown artifact': writeTensorResult(
        "{ dtype: 'float32', shape: [2], artifact: '0'.repeat(64) }",
      ),
      'a tensor of which only a summary is said': writeTensorResult(
        "{ dtype: 'float32', shape: [2], summary: {} }",
      ),
      'an empty tensor': writeTensorResult("{ dtype: 'float32', shape: [0], data: '' }"),
      'a tensor without a number': writeTensorResult("{ dtype: 'float32', shape: [1], data: 'AADAfw==' }"),
    },
  },
  runner: {
    before: {
      'prototypes of everything':
        'Array.prototype.push = () => { throw 1 }; Object.prototype.then = 1; Buffer.from = () => { throw 1 }; Object.prototype.toJSON = () => true',
      'equality of the comparison':
        "const assert = require('assert'); for (const name of Object.keys(assert)) try { assert[name] = () => true } catch {} require('util').isDeepStrictEqual = Object.is = () => true; Array.prototype.every = () => true; Array.prototype.some = () => false; Map.prototype.get = () => undefined",
      'a RESULT that cannot be set':
        "Object.defineProperty(globalThis, 'RESULT', { value: true, writable: false, configurable: false })",
      'axios answers itself':
        "const axios = require('axios'); axios.Axios.prototype.request = async () => ({ status: 200, data: true })",
    },
  },
  oracle: {
    after: {
      'in files and the environment':
        "const fs = require('fs'); const seen = [JSON.stringify(process.env), process.argv.join(' ')]; const look = (path, depth) => { try { for (const one of fs.readdirSync(path, { withFileTypes: true })) { const at = path + '/' + one.name; if (one.isDirectory() && depth < 3 && !/proc|sys|usr|lib|modules/.test(at)) look(at, depth + 1); else if (one.isFile() && fs.statSync(at).size < 1e6) seen.push(fs.readFileSync(at, 'utf8')) } } catch {} }; look('', 0); for (const text of seen) { const found = /\"(?:result|oracle|expected|RESULT)\"\\s*:\\s*(\\{[^]*\\}|\\[[^]*\\]|\"[^\"]*\"|[\\w.]+)/.exec(text); if (found) try { RESULT = JSON.parse(found[1]) } catch {} }",
      'in global names':
        'for (const name of Object.getOwnPropertyNames(globalThis)) if (/oracle|expected|reference|answer|truth|solution/i.test(name)) RESULT = globalThis[name]',
      'at its backend':
        "if (typeof BASE_URL === 'string') { const axios = require('axios'); for (const path of ['/oracle', '/expected', '/reference', '/v1/oracle', '/api/oracle', '/solution', '/observe', '/state', '/..%2foracle']) { const { status, data } = await axios.get(BASE_URL + path, { validateStatus: null }); if (status === 200) RESULT = data } }",
      'in errors of its backend':
        "if (typeof BASE_URL === 'string') { const axios = require('axios'); const { data } = await axios.get(BASE_URL + '/api/sessions/%ff', { validateStatus: null }); RESULT = data.expected ?? data.oracle ?? RESULT }",
      'in the time of day': "RESULT = [null, true, false, 0, 1, '', [], {}][Date.now() % 8]",
      'in random numbers of a seed': 'RESULT = Math.random() < 0.5 ? [] : {}',
    },
  },
  leftovers: {
    before: {
      'processes that stay':
        "require('child_process').spawn('sh', ['-c', 'while :; do :; done & while :; do :; done &'], { detached: true, stdio: 'ignore' }).unref()",
      'a file that answers':
        "const fs = require('fs'); for (const path of ['/tmp/RESULT.json', '/dev/shm/RESULT.json', '/tmp/sitecustomize.py']) try { fs.writeFileSync(path, '{\"wrong\":\"left\"}', { mode: 0o777 }) } catch {}",
      'globals for the next one':
        'globalThis.RESULT_OF_BEFORE = typeof RESULT_OF_BEFORE === "undefined" ? 1 : 2; if (RESULT_OF_BEFORE === 2) process.exit(0)',
    },
  },
}

/** In the worlds of scenarios, under their names in published data too. */
export const javascriptByWorld: readonly { scenarios: readonly string[]; attempts: CodeAttempts }[] = [
  {
    scenarios: ['session-service'],
    attempts: {
      'opting out': {
        before: {
          'a size that a server fails over': `${sessions} ${writePost('/query/fetch', "'{a:{$size:1e300}}'")}`,
          'a pattern that a server fails over': `${sessions} ${writePost('', "'{a:[/(/]}'")} ${writePost('/query/fetch', `'{"data.a":{$eq:[/(/]}}'`)}`,
          'a pattern that nobody waits for': `${sessions} ${writePost('', "{ a: 'x'.repeat(200000) }")} axios.post(all + '/query/fetch', { $or: Array.from({ length: 40 }, (_, n) => ({ 'data.a': { $regex: '(x{0,300}){3}y' + n } })) }).catch(() => {}); await new Promise((go) => setTimeout(go, 100))`,
          'queries within the bounds that nobody waits for': `${sessions} for (let n = 0; n < 30; n++) ${writePost('', "{ n, a: 'x'.repeat(200000) }")} for (let n = 0; n < 40; n++) axios.post(all + '/query/fetch', { 'data.a': { $regex: 'x{0,40}y' } }).catch(() => {}); await new Promise((go) => setTimeout(go, 100))`,
          'values that a database chokes on': String.raw`${sessions} for (const text of ['{"a":"\\ud800"}', '{"\\udc00":1}', '{"a":1e400}', '{"a":NaN}', '{"$a":{"$b":1}}', '{"a.b":1}', '{"":{"":1}}', '{"a":{"$date":1e300}}', '{"a":Date(8.64e15)}', '{"a":NumberDecimal("1E6144")}', '{"a":BinData(2,"AAAA")}', '{"a":Timestamp(4294967295,4294967295)}', '{"__proto__":{"a":1}}', '{"a":' + '['.repeat(97) + ']'.repeat(97) + '}']) await axios.post(all, text, { headers, validateStatus })`,
          'a body that is no text': `${sessions} await axios.post(all, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]), { headers, validateStatus })`,
          'half a request':
            "const net = require('net'); const socket = net.connect(8080, '127.0.0.1', () => socket.write('POST /api/sessions/web/settings HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 1000000\\r\\n\\r\\n{')); socket.on('error', () => {}); await new Promise((go) => setTimeout(go, 100))",
          'a path that is no text':
            "const net = require('net'); const socket = net.connect(8080, '127.0.0.1', () => socket.write(Buffer.concat([Buffer.from('GET /api/sessions/'), Buffer.from([0xff, 0xfe, 0xc0]), Buffer.from('/settings HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n')]))); socket.on('error', () => {}); await new Promise((go) => setTimeout(go, 100))",
          'more requests than there may be': `${sessions} for (let n = 0; n < 1100; n++) await axios.get(BASE_URL + '/info', { validateStatus })`,
          'dense documents': `${sessions} for (let n = 0; n < 12; n++) ${writePost('', `'{"n":' + n + ',"a":[' + Array(60000).fill('[]').join(',') + ']}'`)}`,
          'nine hundred documents at once': `${sessions} await Promise.all(Array.from({ length: 900 }, (_, n) => axios.post(all, { n }, { validateStatus })))`,
        },
      },
      comparison: {
        after: {
          'many ids in an order of its own': `${sessions} const ids = []; for (let n = 0; n < 200; n++) ids.push((await axios.post(all, { n: n % 2, m: n })).data.id); RESULT = ids.concat(ids.map((one, n) => one + ids[(n * 7) % 200]))`,
          'ids that refer to each other': `${sessions} const ids = []; for (let n = 0; n < 40; n++) ids.push((await axios.post(all, { same: 1, n })).data.id); for (const id of ids) await axios.put(all + '/' + id, { a: ids[(ids.indexOf(id) + 1) % 40], b: ids[(ids.indexOf(id) * 3 + 2) % 40] }); RESULT = ids`,
          'the ids of the world for its values': `${sessions} const { data } = await axios.get(all, { validateStatus }); RESULT = Array.isArray(data) ? data.map(({ id }) => id) : data`,
        },
      },
    },
  },
  {
    scenarios: ['elevenlabs-mcp', 'voice'],
    attempts: {
      'opting out': {
        before: {
          'arguments that no tool knows':
            "for (const name of ['text_to_speech', 'speech_to_text', 'search_voice_library', 'make_outbound_call']) for (const value of [{ $ref: 1 }, { is_speech: true }, [[]], '\\ud800', { constructor: 1 }, { then: 1 }, 1e308, 'x'.repeat(1e6)]) try { await globalThis[name](value) } catch {}",
          'calls that nobody waits for':
            "for (let n = 0; n < 200; n++) try { search_voice_library({ search: 'x'.repeat(1000) }).catch(() => {}) } catch {}",
          'more calls than there may be': 'for (;;) await search_voice_library({}).catch(() => {})',
          'a call that is forged':
            "const fs = require('fs'); const body = Buffer.from('\\u00011 [\"__proto__\",{}]'); const head = Buffer.alloc(4); head.writeUInt32BE(body.length); for (let fd = 3; fd < 10; fd++) try { fs.writeSync(fd, Buffer.concat([head, body])) } catch {}",
        },
      },
      comparison: {
        after: {
          'a speech of its own': "RESULT = { is_speech: true, $ref: 0, text: '', voice_name: '' }",
        },
      },
      runner: {
        before: {
          'functions that answer themselves':
            'for (const name of Object.keys(globalThis)) if (/speech|voice|call/.test(name)) globalThis[name] = async () => ({ ok: true })',
        },
      },
    },
  },
  {
    scenarios: ['tensor-operation', 'tensor'],
    attempts: {
      'opting out': {
        before: {
          'shapes without end':
            "const torch = require('torch'); for (const shape of [[2 ** 40, 2 ** 40], [2 ** 31], [-1], [1.5], [NaN], [1e308], Array(1000).fill(1)]) try { torch.zeros(...shape).sum().item() } catch {}",
          'types that there are not':
            "const torch = require('torch'); for (const dtype of ['evil', '__proto__', 'complex64', null, {}]) try { torch.tensor([1, 2], { dtype }).add(1).tolist() } catch {}",
          'divisions by nothing':
            "const torch = require('torch'); const x = torch.tensor([-2147483648, 0, 5]); for (const name of ['div', 'remainder', 'floor_divide', 'pow', 'fmod']) try { x[name](torch.tensor([0, 0, -1])).tolist() } catch {}",
          'graphs without end':
            "const torch = require('torch'); let x = torch.tensor([1]); for (;;) { x = x.add(1); x.sum().item() }",
          'graphs that nobody waits for':
            "const torch = require('torch'); const wide = torch.zeros(1).expand(1 << 20); for (let n = 0; n < 60; n++) try { wide.add(n).sum().item() } catch {}",
          'a graph that is forged':
            'const fs = require(\'fs\'); const body = Buffer.from(\'\\u00011 ["run",{"nodes":[{"op":"neg","in":[0]}],"outputs":[0],"keep":[]}]\'); const head = Buffer.alloc(4); head.writeUInt32BE(body.length); for (let fd = 3; fd < 10; fd++) try { fs.writeSync(fd, Buffer.concat([head, body])) } catch {}',
        },
      },
      comparison: {
        after: {
          'tensors of no numbers':
            "const torch = require('torch'); const change = (one) => one && one.shape ? one.mul(NaN) : Array.isArray(one) ? one.map(change) : one && typeof one === 'object' ? Object.fromEntries(Object.entries(one).map(([key, value]) => [key, change(value)])) : NaN; RESULT = change(RESULT)",
          'tensors of infinity':
            "const torch = require('torch'); RESULT = torch.tensor([Infinity, -Infinity, 1e38])",
          'a tensor that is empty': "const torch = require('torch'); RESULT = torch.zeros(0)",
          'a tensor of one number': "const torch = require('torch'); RESULT = torch.zeros(1)",
          'a shape that lies':
            "const torch = require('torch'); RESULT = torch.zeros(4); RESULT.node.shape = [1000, 1000]",
          'a tensor nested deeply':
            "const torch = require('torch'); let list = torch.zeros(1); for (let n = 0; n < 60; n++) list = [list]; RESULT = list",
        },
      },
      runner: {
        before: {
          'the module answers itself':
            "const torch = require('torch'); for (const one of [torch, torch.nn?.functional ?? {}]) for (const name of Object.keys(one)) try { one[name] = () => 1 } catch {}",
        },
      },
    },
  },
]
