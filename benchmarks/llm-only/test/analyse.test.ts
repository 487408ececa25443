/** The analysis against the generator's own pairs, and on the ways in which models write calls. */
import { expect, test } from '@jest/globals'
import { defaultOptions, generate } from '@stateeval/generate'
import { emit, formatPair } from '@stateeval/program'
import { findScenario, scenarios } from '@stateeval/scenarios'
import { analyseProgram } from '../analysis/analyse.ts'

const seeds = process.env.STATEEVAL_LONG ? 100 : 12

test.each(scenarios.map(({ id }) => id))(
  '%s: the pairs found in emitted JavaScript are the generator’s own',
  (id) => {
    const scenario = findScenario(id)!
    let branched = 0
    for (let seed = 0; seed < seeds; seed++)
      for (const { program, adjacent } of generate(scenario, {
        ...defaultOptions,
        count: 1,
        seed,
        strategy: 'random',
        observable: false,
      })) {
        const analysis = analyseProgram(emit(program, 'javascript')!, scenario, defaultOptions.length)!
        if (program.branch) branched++
        expect([...analysis.adjacent].sort()).toEqual([...adjacent].sort())
        expect(analysis.breaks).toEqual([])
      }
    expect(branched).toBeGreaterThan(seeds / 2)
  },
)

/** The calls of a program on each of its ways. */
const pathsIn = (code: string, id: string) =>
  analyseProgram(code, findScenario(id)!, 5)?.paths.map((calls) => calls.join(' '))

test.each([
  [
    'methods',
    'const r = await axios.get(`${BASE_URL}/api/sessions/portal/settings`); await axios.delete(`${BASE_URL}/api/sessions/portal/settings/${r.data[0].id}`)',
    'listSessions deleteSession',
  ],
  [
    'an object',
    "await axios({ method: 'post', url: `${BASE_URL}/api/sessions/a/group`, data: {} })",
    'addSession',
  ],
  [
    'request',
    "const c = { method: 'PUT', url: BASE_URL + '/api/sessions/a/group/' + id }; await axios.request(c)",
    'updateSession',
  ],
  [
    'URL and options',
    "await axios(`${BASE_URL}/api/sessions/a/group/${id}`, { method: 'delete' })",
    'deleteSession',
  ],
  [
    'fetch',
    "await fetch(`${BASE_URL}/api/sessions/a/group`, { method: 'POST', body: '{}' }); await fetch(BASE_URL + '/api/sessions/a/group')",
    'addSession listSessions',
  ],
  [
    'query in the URL',
    'await axios.get(`${BASE_URL}/api/sessions/${s}/${t}/query?field=data.title&value=${encodeURIComponent(v)}`)',
    'querySessions',
  ],
  [
    'URLs in variables',
    "const base = `${BASE_URL}/api/sessions/${u.source}/${u.type}`; let q = base; q += '/query'; await axios.get(q, { params }); await axios.get(base)",
    'querySessions listSessions',
  ],
  [
    'an unknown base',
    'await axios.get(`${host.url}/api/sessions/a/group`); await axios.put(`${where(1)}/a/group/${id}`, {})',
    'listSessions updateSession',
  ],
  [
    'an address of its own',
    "const BASE_URL = process.env.BASE_URL || 'http://localhost:8080'; await axios.get(`${BASE_URL}/api/sessions/a/b`)",
    'listSessions',
  ],
  [
    'an instance',
    "const api = axios.create({ baseURL: `${BASE_URL}/api/sessions` }); await api.post('/a/group', {}); await api.get(`/a/group/query`)",
    'addSession querySessions',
  ],
  [
    'default base',
    "axios.defaults.baseURL = BASE_URL; await axios.get('/api/sessions/a/group')",
    'listSessions',
  ],
  [
    'names of a module',
    "import { get as fetchIt } from 'axios'; import { post } from 'axios'; await fetchIt(BASE_URL + '/api/sessions/a/b'); await post(BASE_URL + '/api/sessions/a/b', {})",
    'listSessions addSession',
  ],
  [
    'computed method',
    "const m = 'put'; const { default: http } = require('axios'); await http[m](`${BASE_URL}/api/sessions/a/b/1`, {})",
    'updateSession',
  ],
  [
    'a function of its own',
    'const call = (method, path, data) => axios({ method, url: `${BASE_URL}/api/sessions/${path}`, data }); async function main() { const { data } = await call("get", "a/b"); await call("delete", "a/b/" + data[0].id); RESULT = {} } main().catch(console.error)',
    'listSessions deleteSession',
  ],
  [
    'a main that is not called',
    'export default async function main() { await axios.get(`${BASE_URL}/api/sessions/a/b`) }',
    'listSessions',
  ],
  [
    'promises',
    'axios.get(`${BASE_URL}/api/sessions/a/b`).then((r) => axios.delete(`${BASE_URL}/api/sessions/a/b/${r.data[0].id}`)).catch(() => axios.post(`${BASE_URL}/api/sessions/a/b`, {}))',
    'listSessions deleteSession',
  ],
  [
    'at the same time',
    'const [a, b] = await Promise.all([axios.get(`${BASE_URL}/api/sessions/a/b`), axios.post(`${BASE_URL}/api/sessions/a/b`, {})])',
    'listSessions addSession',
  ],
  [
    'try and catch',
    'try { await axios.get(`${BASE_URL}/api/sessions/a/b`) } catch (e) { await axios.post(`${BASE_URL}/api/sessions/a/b`) } finally { x() }',
    'listSessions',
  ],
  [
    'an array of parts, a URL',
    "await axios.get([BASE_URL, 'api', 'sessions', s, t].join('/')); await axios.get(new URL(`/api/sessions/${s}/${t}/query`, BASE_URL).toString())",
    'listSessions querySessions',
  ],
  [
    'what is not documented',
    'await axios.get(`${BASE_URL}/api/sessions/a/b/${id}`); await axios.post(`${BASE_URL}/sessions/a/b`, {}); await axios.get(url); await axios.patch(`${BASE_URL}/api/sessions/a/b/1`)',
    '',
  ],
])('session-service, %s', (_, code, calls) => {
  expect(pathsIn(code, 'session-service')).toEqual([calls])
})

test.each([
  [
    'functions and methods',
    "const torch = require('torch'); const y = torch.cat([torch.transpose(x, 0, 1), x]).permute(1, 0); const [p] = y.split(2); p.transpose(0, 1)",
    'transpose cat permute split transpose',
  ],
  [
    'names of a module',
    "import torch, { nn, cat } from 'torch'; const F = torch.nn.functional; const { split } = torch; F.linear(cat([x, y]), w); nn.functional.conv2d(x, w); split(x, 2)",
    'cat linear conv2d split',
  ],
  [
    'texts have methods of that name, too',
    "const [a] = 'a,b'.split(','); const d = String(x.dtype).split('.')[1]; `${x.shape}`.split(','); torch.reshape(x, [1]).permute([0]); torch.ones([2])",
    'permute',
  ],
  [
    'inner calls first',
    'torch.cat([torch.split(x, 1)[0], x.permute([1, 0])], torch.linear)',
    'split permute cat',
  ],
])('tensor-operation, %s', (_, code, calls) => {
  expect(pathsIn(code, 'tensor-operation')).toEqual([calls])
})

test.each([
  [
    'by name',
    "const v = (await search_voice_library({ search_name: 'A' }))[0]?.voice_name ?? 'B'; const s = await text_to_speech({ text: 'x', voice_name: v }); RESULT = { t: (await speech_to_text({ input_speech: s })).text }",
    'search_voice_library text_to_speech speech_to_text',
  ],
  [
    'of a module, renamed',
    "import * as tools from 'elevenlabs'; const { isolate_audio: clean } = require('x'); const call = make_outbound_call; await tools.text_to_speech('x'); await clean(y); await call(z)",
    'text_to_speech isolate_audio make_outbound_call',
  ],
  [
    'with stand-ins',
    'async function isolate_audio({ input_speech }) { return { ...input_speech } } const main = async () => { await isolate_audio({ input_speech }) }; await main()',
    'isolate_audio',
  ],
  [
    'nested',
    'await isolate_audio({ input_speech: await text_to_speech({ text }) })',
    'text_to_speech isolate_audio',
  ],
])('elevenlabs-mcp, %s', (_, code, calls) => {
  expect(pathsIn(code, 'elevenlabs-mcp')).toEqual([calls])
})

const [tts, stt, clean] = [
  'await text_to_speech({ text });',
  'await speech_to_text({ input_speech });',
  'await isolate_audio({ input_speech });',
]
const [T, S, C] = ['text_to_speech', 'speech_to_text', 'isolate_audio']

test.each<[string, string, string[]]>([
  ['if and else', `${tts} if (x) { ${stt} } else { ${clean} } ${tts}`, [`${T} ${S} ${T}`, `${T} ${C} ${T}`]],
  ['if alone', `${tts} if (x) { ${stt} }`, [`${T} ${S}`, T]],
  [
    'an early end',
    `(async () => { ${tts} if (x) { ${stt} return } ${clean} })()`,
    [`${T} ${S}`, `${T} ${C}`],
  ],
  ['a guard that throws', `${tts} if (!x) throw new Error('no'); ${stt}`, [`${T} ${S}`]],
  [
    'a guard inside a function',
    `const check = (x) => { if (!x) throw new Error('no') }; ${tts} check(x); ${stt}`,
    [`${T} ${S}`],
  ],
  [
    'a condition in an expression',
    `const s = x ? ${tts.slice(0, -1)} : ${clean.slice(0, -1)}; x && (${stt.slice(0, -1)})`,
    [`${T} ${S}`, T, `${C} ${S}`, C],
  ],
  ['switch', `switch (x) { case 1: ${tts} break; default: ${stt} }`, [T, S]],
])('ways through a program: %s', (_, code, paths) => {
  expect(pathsIn(code, 'elevenlabs-mcp')).toEqual(paths)
})

test('the last call before the if is paired with the first of each branch, and the branches with none of each other', () => {
  const code = `${tts} if (x) { ${stt} ${tts} } else { ${clean} }`
  expect(analyseProgram(code, findScenario('elevenlabs-mcp')!, 5)?.adjacent).toEqual([
    formatPair(T, S),
    formatPair(S, T),
    formatPair(T, C),
  ])
})

const five = tts.repeat(5)
test.each<[string, string, string[]]>([
  ['none', `${five} RESULT = {}`, []],
  [
    'none, in a main',
    `async function main() { ${tts} if (x) { ${tts.repeat(4)} RESULT = {} } else { ${tts.repeat(4)} RESULT = { x } } } main()`,
    [],
  ],
  ['no call', 'RESULT = {}', ['no_api_call']],
  ['a loop', `for (const x of y) { z(x) } ${five} RESULT = {}`, ['loop']],
  ['calls for each', `await Promise.all(y.map(async (x) => { ${five} })); RESULT = {}`, ['loop']],
  ['recursion', `const f = async () => { ${five} await f() }; await f(); RESULT = {}`, ['loop']],
  ['two ifs', `if (a) { x() } if (b) { y() } ${five} RESULT = {}`, ['several_branches']],
  ['too many calls', `${five} ${tts} RESULT = {}`, ['other_length']],
  ['too few on one path', `if (x) { ${five} } RESULT = {}`, ['other_length']],
  ['randomness', `${five} RESULT = { id: Math.random() }`, ['random']],
  [
    'an id drawn at random',
    `const { v4: uuidv4 } = require('uuid'); ${five} RESULT = { id: uuidv4() }`,
    ['random'],
  ],
  ['the time', `${five} RESULT = { at: new Date() }`, ['random']],
  ['no RESULT', `${five} if (x) { RESULT = {} }`, ['no_result']],
])('constraints: %s', (_, code, breaks) => {
  expect(analyseProgram(code, findScenario('elevenlabs-mcp')!, 5)?.breaks).toEqual(breaks)
})

test('what is no JavaScript, or has more ways than anyone could look at, is told apart', () => {
  const scenario = findScenario('elevenlabs-mcp')!
  expect(analyseProgram('def main():\n  pass', scenario, 5)).toBeNull()
  expect(analyseProgram(`x = ${'1 + '.repeat(20_000)}1`, scenario, 5)).toBeNull()
  expect(analyseProgram(`${'x ? a : b;'.repeat(40)} ${five} RESULT = {}`, scenario, 5)?.breaks).toEqual([])
})

test.each([
  [
    'functions that call each other twice',
    `${Array.from({ length: 40 }, (_, n) => `function f${n}() { f${n + 1}(); f${n + 1}() }`).join('\n')} f0()`,
  ],
  ['a long chain', `x${'.a'.repeat(16_000)}()`],
  ['a long chain of calls', `x${'.a()'.repeat(8_000)}`],
  ['code that is too long', `${'x();'.repeat(10_000)}`],
])('hostile code ends soon, unread: %s', (_, code) => {
  expect(analyseProgram(code, findScenario('elevenlabs-mcp')!, 5)).toBeNull()
})

test('a text that doubles again and again fills no memory', () => {
  const code = `let s = 'abcdefgh'; ${'s = s + s;'.repeat(1_000)} ${five} RESULT = { s }`
  expect(analyseProgram(code, findScenario('elevenlabs-mcp')!, 5)?.breaks).toEqual([])
})
