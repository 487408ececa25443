/** What models read is true: its examples are run against the service, and its claims are checked. */
import { expect, test } from '@jest/globals'
import axios from 'axios'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { examineMachine } from '@stateeval/sandbox/examine'
import { javascript } from '../../documentation/javascript.ts'
import { python } from '../../documentation/python.ts'
import { sessionTypes } from '../../types.ts'
import { serviceOfTests } from './service.ts'

const service = serviceOfTests()

const snippets = (text: string) => [...text.matchAll(/```(?:js|python)\n([^]*?)```/g)].map(([, code]) => code).join('\n')
const AsyncFunction = (async () => {}).constructor as new (...args: string[]) => (...values: unknown[]) => Promise<Record<string, unknown>>
const run = (code: string, results: string) =>
  new AsyncFunction('axios', 'BASE_URL', `${code}\nreturn { ${results} }`)(axios, `http://127.0.0.1:${service.port}`)

test('the examples of the five APIs run one after the other', async () => {
  const { sessions, id, found } = await run(snippets(javascript.whole), 'sessions, id, found')
  expect(sessions).toEqual([])
  expect(found).toEqual([{ id, data: { title: 'Overview', columns: 3 }, source: 'portal', type: 'settings' }])
  expect((await axios.get(`http://127.0.0.1:${service.port}/api/sessions/portal/settings`)).data).toEqual([])
})

test('the examples of the other APIs run', async () => {
  const { session, found } = await run(snippets(javascript.of(['addSession', 'getSession', 'fetchSessions'])), 'session, found')
  expect(session).toMatchObject({ data: { columns: 3 } })
  expect(found).toEqual([session])
})

/** Runs Python beside the service; what the examples leave in these variables, or null where no interpreter can run programs. */
async function runPython(code: string, names: readonly string[]): Promise<Record<string, unknown> | null> {
  const python = (await examineMachine()).interpreters.find(({ problem }) => problem === undefined)?.path
  if (python === undefined) return null
  const script = `import json, requests\nBASE_URL = "http://127.0.0.1:${service.port}"\n${code}\nprint(json.dumps({name: globals()[name] for name in ${JSON.stringify(names)}}))`
  const { stdout } = await promisify(execFile)(python, ['-c', script])
  return JSON.parse(stdout) as Record<string, unknown>
}

test('the examples in Python do the same', async () => {
  const place = `http://127.0.0.1:${service.port}/api/sessions/portal/settings`
  for (const { id } of (await axios.get<{ id: string }[]>(place)).data) await axios.delete(`${place}/${id}`)
  const first = await runPython(snippets(python.whole), ['sessions', 'id', 'found'])
  if (!first) return console.log('skipped: no python3 can run programs here')
  expect(first['sessions']).toEqual([])
  expect(first['found']).toEqual([{ id: first['id'], data: { title: 'Overview', columns: 3 }, source: 'portal', type: 'settings' }])
  expect((await axios.get(place)).data).toEqual([])
  const others = await runPython(snippets(python.of(['addSession', 'getSession', 'fetchSessions'])), ['session', 'found'])
  expect(others).toMatchObject({ session: { data: { columns: 3 } }, found: [others!['session']] })
})

test('languages differ in their examples only', () => {
  const plain = (text: string) => text.replace(/```(?:js|python)\n[^]*?```/g, '```')
  for (const [api, text] of Object.entries(javascript.parts.apis))
    expect(plain(python.parts.apis[api as keyof typeof javascript.parts.apis])).toBe(plain(text))
  expect(python.whole).not.toMatch(/axios|require\(/)
})

test('parts are cut out by API, and the whole has the five of the paper', () => {
  const { introduction, apis } = javascript.parts
  expect(javascript.of(['deleteSession', 'addSession'])).toBe(`${introduction}\n\n${apis.addSession}\n\n${apis.deleteSession}\n`)
  expect([...javascript.whole.matchAll(/^## (\w+):/gm)].map(([, api]) => api)).toEqual([
    'listSessions',
    'addSession',
    'querySessions',
    'updateSession',
    'deleteSession',
  ])
  for (const type of sessionTypes) expect(introduction).toContain(`\`${type}\``)
})
