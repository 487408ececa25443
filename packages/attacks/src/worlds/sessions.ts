/**
 * Attacks on the session service and its database: they use it up, confuse it, or pass their own failure off
 * as the service's.
 */
import {
  type AttackProgram,
  anyEnd,
  completes,
  expectFound,
  javascript,
  expectKill,
  python,
  timeout,
} from '../attack.ts'

const tooMuch = expectKill('requests')
const all =
  'const axios = require("axios"); axios.defaults.validateStatus = () => true; const all = `${BASE_URL}/api/sessions/web/settings`;'
const pyAll = 'import requests\nall = f"{BASE_URL}/api/sessions/web/settings"\n'
/**
 * Posts each text as it is. The service answers 500 to much, as its model does; what counts is that what it
 * took is there, and that nobody blames the world.
 */
const writePosting = (texts: string) =>
  `${all} const taken = []; for (const text of ${texts}) { const { status, data } = await axios.post(all, text, { headers: { 'content-type': 'application/json' } }); if (status < 300) taken.push(data.id) } const { status, data } = await axios.get(all); RESULT = [status, new Set(taken).size - data.filter(({ id }) => taken.includes(id)).length]`
const sound = expectFound([200, 0])
/** Asks for each path; anything that is there is found. */
const writeAsking = (paths: string) =>
  `const http = require('http'); const ask = (path, method) => new Promise((resolve) => { let text = ''; const asked = http.request(BASE_URL + '/', { path, method }, (response) => response.setEncoding('utf8').on('data', (chunk) => (text += chunk)).on('end', () => resolve([response.statusCode, text]))); asked.on('error', () => resolve([400, ''])); asked.end() }); RESULT = []; for (const path of ${paths}) for (const method of ['GET', 'PUT', 'DELETE']) { const [status, text] = await ask(path, method); if (status < 300 && text !== '[]') RESULT.push([method, path, status, text.slice(0, 80)]) }`

/** Finds every text that is answered with anything but a result or a refusal of the client's filter. */
const writeFiltering = (texts: string, stored = '{"a":[1,"x",null]}') =>
  `${all} await axios.post(all, ${JSON.stringify(stored)}, { headers: { 'content-type': 'application/json' } }); RESULT = []; for (const text of ${texts}) { const { status } = await axios.post(all + '/query/fetch', text, { headers: { 'content-type': 'application/json' } }); if (status !== 200 && status !== 400) RESULT.push([status, text.slice(0, 60)]) }`
/** Leaves queries behind that the database would work on for long. */
const writeLeaving = (documents: string, filter: string) =>
  `${all} for (const data of ${documents}) await axios.post(all, data); const left = Array.from({ length: 40 }, () => axios.post(all + '/query/fetch', ${filter})); for (const one of left) one.catch(() => {}); await Promise.race([left[0], new Promise((go) => setTimeout(go, 100))]); RESULT = 1`

export const sessions: readonly AttackProgram[] = [
  javascript(
    'opting out: operands that a server fails over in its own name',
    writeFiltering(
      String.raw`['{a:{$size:1e300}}', '{a:{$size:NaN}}', '{a:{$size:-1}}', '{a:{$size:NumberLong("9223372036854775807")}}', '{a:{$mod:[1e300,0]}}', '{a:{$mod:[0,0]}}', '{a:{$mod:[NumberLong("-9223372036854775808"),-1]}}', '{a:{$type:1e300}}', '{a:{$type:[]}}', '{a:{$not:1}}', '{a:{$options:"i"}}', '{a:{$regex:1}}', '{a:{$in:[{$size:1e300}]}}', '{$or:[{a:{$not:{$size:1e300}}}]}', '{a:{$elemMatch:{$size:1e300}}}', '{a:{$all:[{$elemMatch:{$size:1e300}}]}}']`,
    ),
    expectFound([]),
  ),
  javascript(
    'opting out: patterns that take a server along',
    writeFiltering(
      String.raw`['{"data.a":/x/x}', '{"data.a":{$eq:[/a/x]}}', '{"data.a":/y/}', '{"data.a":{$in:[/(/]}}', '{"data.a":{$eq:/(/}}', '{"data":{$eq:{a:/y/x}}}', '{"data.a":{$regex:"(?=x)"}}', '{"data.a":{$regex:"(x)\\1"}}', '{"data.a":{$regex:"x{1000}{1000}"}}', '{"data.a":{$ne:/x/}}', '{"data.a":{$gt:/x/}}', '{"data.a":1.5}']`,
      '{"a":[/(/,/x/x,1]}',
    ),
    expectFound([]),
  ),
  javascript(
    'opting out: a query of long patterns that nobody waits for',
    writeLeaving(
      `[{ a: 'x'.repeat(200000) }]`,
      `{ $or: Array.from({ length: 40 }, (_, n) => ({ 'data.a': { $regex: '(x{0,300}){3}y' + n } })) }`,
    ),
    expectFound(1),
  ),
  javascript(
    'opting out: a pattern with many ways in many short texts',
    writeLeaving(
      `[{ a: Array.from({ length: 9000 }, (_, n) => 'x'.repeat(20) + n) }]`,
      `{ 'data.a': { $regex: '(x+x+)+y' } }`,
    ),
    expectFound(1),
  ),
  javascript(
    'opting out: queries within the bounds that nobody waits for',
    writeLeaving(
      `Array.from({ length: 30 }, (_, n) => ({ n, a: 'x'.repeat(200000) }))`,
      `{ 'data.a': { $regex: 'x{0,40}y' } }`,
    ),
    [completes, timeout, expectKill('memory')],
  ),
  javascript(
    'opting out: many values compared with many',
    writeLeaving(
      `Array.from({ length: 8 }, (_, n) => ({ n, a: Array(40000).fill(1) }))`,
      `{ 'data.a': { $in: Array.from({ length: 200 }, (_, n) => n + 2) } }`,
    ),
    [completes, timeout, expectKill('memory')],
  ),
  javascript(
    'opting out: more than a world may hold',
    `${all} for (let n = 0; n < 60; n++) await axios.post(all, { n, a: 'x'.repeat(200000) }); const { data } = await axios.get(BASE_URL + '/api/sessions/other/settings'); RESULT = data`,
    anyEnd,
  ),
  javascript(
    'exhaustion: dense bodies',
    `${all} const body = '[' + '[],'.repeat(3000) + '1]'; for (let n = 0; n < 60; n++) await axios.post(all, body, { headers: { 'content-type': 'application/json' } }); RESULT = 1`,
    tooMuch,
    { resultKiB: 2 },
  ),
  javascript(
    'exhaustion: deep bodies',
    writePosting(`['['.repeat(50000) + ']'.repeat(50000), '{"a":'.repeat(20000) + '1' + '}'.repeat(20000)]`),
    sound,
  ),
  javascript(
    'exhaustion: a flood of requests at once',
    `${all} await Promise.allSettled(Array.from({ length: 60 }, (_, n) => axios.post(all, { n }))); RESULT = 1`,
    tooMuch,
    { requests: 20 },
  ),
  javascript(
    'results: bodies that a database chokes on',
    writePosting(
      String.raw`['{"a": /x' + String.fromCharCode(0) + 'y/}', '{"a\\u0000b":1}', '{"a":"\\u0000"}', '{"\\ud800":1,"\\ud801":2}', '{"a":1,"a":2}', '{"":1}', '{"a.b":1}', '{"$set":{"a":1}}', '{"a":{"$where":"1"}}', '{"_id":1}', '{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":{"polluted":1}}}']`,
    ),
    sound,
  ),
  javascript(
    'exhaustion: a flood of requests',
    `${all} for (let n = 0; n < 60; n++) await axios.post(all, { n }); RESULT = 1`,
    tooMuch,
    {
      requests: 20,
    },
  ),
  javascript(
    'results: values that only look like some',
    writePosting(
      String.raw`['{"a":{"$oid":"x"}}', '{"a":{"$date":"never"}}', '{"a":{"$date":{"$numberLong":"99999999999999999999"}}}', '{"a":{"$numberLong":"1e400"}}', '{"a":{"$numberDecimal":"x"}}', '{"a":{"$binary":{"base64":"%","subType":"zz"}}}', '{"a":{"$regularExpression":{"pattern":"(","options":"zz"}}}', '{"a":{"$code":"for(;;);"}}', '{"a":{"$minKey":1}}', '{"a":1e400}', '{"a":-1e-400}', '{"a":NaN}', '{"a":99999999999999999999999}', '7', 'null', '"text"', '[]', '', '{', '\\ufeff{}', '{"a":undefined}']`,
    ),
    sound,
  ),
  javascript(
    'results: forged ids',
    `${all} const before = (await axios.get(all)).data; RESULT = []; const ids = ['0'.repeat(24), 'f'.repeat(24), before[0].id.toUpperCase() + 'x', '..', '%2e%2e', '%00', '%ff', '$where', '__proto__', '{"$gt":""}', '[object Object]', 'x'.repeat(2000)]; for (const id of ids) for (const method of ['get', 'put', 'delete']) { const { status } = await axios.request({ method, url: all + '/' + (id.startsWith('%') ? id : encodeURIComponent(id)), ...(method === 'put' && { data: { forged: 1 } }) }); if (status < 300 && id !== '..') RESULT.push([method, id.slice(0, 30), status]) } const after = (await axios.get(all)).data; if (JSON.stringify(after) !== JSON.stringify(before)) RESULT.push('changed')`,
    expectFound([]),
  ),
  javascript(
    'results: queries that are code',
    writeAsking(
      `['$where', '$expr', 'a.$where', '__proto__', 'constructor', '', '.', '..', '%00', 'a%00b', '$'].flatMap((field) => ['for(;;);', '{"$gt":""}', '%00'].map((value) => '/api/sessions/web/other/query?field=' + field + '&value=' + encodeURIComponent(value)))`,
    ),
    expectFound([]),
  ),
  javascript(
    'exhaustion: what was stored comes back again and again',
    `${all} await axios.post(all, { text: 'x'.repeat(3000) }); for (let n = 0; n < 200; n++) await axios.get(all); RESULT = 1`,
    tooMuch,
    { resultKiB: 2 },
  ),
  javascript(
    'exhaustion: long paths and fields',
    writeAsking(
      `['/api/sessions/' + 'x'.repeat(7000) + '/y', '/api/sessions/a/b/query?field=' + 'a.'.repeat(3000) + '&value=1']`,
    ),
    expectFound([]),
  ),
  javascript(
    'results: changes and deletions that meet',
    `${all} const ids = await Promise.all(Array.from({ length: 8 }, (_, n) => axios.post(all, { n }).then(({ data }) => data.id))); const answers = await Promise.all(ids.flatMap((id) => [axios.put(all + '/' + id, { changed: 1 }), axios.delete(all + '/' + id), axios.delete(all + '/' + id)])); const left = (await axios.get(all)).data.length; RESULT = left === 1 ? [] : [left, answers.map(({ status }) => status)]`,
    expectFound([]),
  ),
  javascript(
    'results: requests that lie about themselves',
    `const net = require('net'); const say = (text) => new Promise((resolve) => { const socket = net.connect(8080, '127.0.0.1', () => socket.end(text)); let heard = ''; socket.on('data', (chunk) => (heard += chunk)).on('close', () => resolve(heard)).on('error', () => resolve(heard)); setTimeout(() => socket.destroy(), 300) }); const path = '/api/sessions/web/settings'; RESULT = []; for (const text of ['POST ' + path + ' HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 5\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\nGET / HTTP/1.1\\r\\n\\r\\n', 'POST ' + path + ' HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: -1\\r\\n\\r\\n{}', 'POST ' + path + ' HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 999\\r\\n\\r\\n{"half":', 'POST ' + path + ' HTTP/1.1\\r\\nHost: x\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\nffffffff\\r\\n{', 'BREW / HTTP/9.9\\r\\n\\r\\n', '\\u0000'.repeat(1000)]) { const heard = await say(text); if (/ 2\\d\\d /.test(heard.split('\\r\\n')[0])) RESULT.push([text.slice(0, 60), heard.slice(0, 80)]) }`,
    expectFound([]),
  ),
  javascript(
    'results: others’ databases by their names',
    writeAsking(
      `['/api/sessions/admin/system.users', '/api/sessions/../../admin', '/api/sessions/config/$cmd', '/api/sessions/%24cmd/%00', '/api/sessions/a%2fb/c', '/api/sessions/local/startup_log', '//api//sessions//a//b', '/api/sessions']`,
    ),
    expectFound([]),
  ),
  python(
    'exhaustion: a flood of requests',
    `${pyAll}for n in range(60):\n    try:\n        requests.post(all, json={"n": n})\n    except requests.RequestException:\n        pass\nRESULT = 1`,
    tooMuch,
    { requests: 20 },
  ),
  python(
    'exhaustion: dense bodies',
    `${pyAll}body = "{" + ",".join(f'"{n}":[]' for n in range(1000)) + "}"\nfor n in range(60):\n    requests.post(all, data=body, headers={"content-type": "application/json"})\nRESULT = 1`,
    tooMuch,
    { resultKiB: 2 },
  ),
  python(
    'results: forged ids',
    `${pyAll}before = requests.get(all).json()\nRESULT = []\nfor id in ["0" * 24, "f" * 24, "%00", "%ff", "$where", "__proto__", "%7B%22%24gt%22%3A%22%22%7D"]:\n    for method in ["PUT", "DELETE"]:\n        status = requests.request(method, f"{all}/{id}", json={"forged": 1}).status_code\n        if status < 300:\n            RESULT.append([method, id, status])\nif requests.get(all).json() != before:\n    RESULT.append("changed")`,
    expectFound([]),
  ),
]
