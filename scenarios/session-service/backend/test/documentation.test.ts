/** What models read is true: its examples are run against the service, and its claims are checked. */
import { expect, test } from '@jest/globals'
import axios from 'axios'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { listOptInApis } from '@stateeval/generate'
import { examineSandboxMachine } from '@stateeval/sandbox/examine'
import { javascript } from '../../documentation/javascript.ts'
import { python } from '../../documentation/python.ts'
import { sessionService } from '../../index.ts'
import { sessionTypes } from '../../types.ts'
import { serviceOfTests } from './service.ts'

const service = serviceOfTests()

const snippets = (text: string) =>
  [...text.matchAll(/```(?:js|python)\n([^]*?)```/g)].map(([, code]) => code).join('\n')
const AsyncFunction = (async () => {}).constructor as new (
  ...args: string[]
) => (...values: unknown[]) => Promise<Record<string, unknown>>
const run = (code: string, results: string) =>
  new AsyncFunction('axios', 'BASE_URL', `${code}\nreturn { ${results} }`)(
    axios,
    `http://127.0.0.1:${service.port}`,
  )

test('every API is documented', () => {
  for (const { parts } of [javascript, python])
    expect(Object.keys(parts.apis).sort()).toEqual(sessionService.operations.map(({ id }) => id).sort())
})

test('the examples of the five APIs run one after the other', async () => {
  const { sessions, id, found } = await run(snippets(javascript.whole), 'sessions, id, found')
  expect(sessions).toEqual([])
  expect(found).toEqual([{ id, data: { title: 'Overview', columns: 3 }, source: 'portal', type: 'settings' }])
  expect((await axios.get(`http://127.0.0.1:${service.port}/api/sessions/portal/settings`)).data).toEqual([])
})

/** What documents the opt-in APIs, behind the one that adds the session that their examples look for. */
const others = ['addSession', ...listOptInApis(sessionService)] as (keyof typeof javascript.parts.apis)[]

test('the examples of the other APIs run', async () => {
  const { session, found } = await run(snippets(javascript.of(others)), 'session, found')
  expect(session).toMatchObject({ data: { columns: 3 } })
  expect(found).toEqual([session])
})

/**
 * Runs Python beside the service; what the examples leave in these variables, or null where no interpreter
 * can run programs.
 */
async function runPython(code: string, names: readonly string[]): Promise<Record<string, unknown> | null> {
  const python = (await examineSandboxMachine()).interpreters.find(
    ({ problem }) => problem === undefined,
  )?.path
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
  expect(first['found']).toEqual([
    { id: first['id'], data: { title: 'Overview', columns: 3 }, source: 'portal', type: 'settings' },
  ])
  expect((await axios.get(place)).data).toEqual([])
  const second = await runPython(snippets(python.of(others)), ['session', 'found'])
  expect(second).toMatchObject({ session: { data: { columns: 3 } }, found: [second!['session']] })
})

test('languages differ in their examples only', () => {
  const plain = (text: string) => text.replace(/```(?:js|python)\n[^]*?```/g, '```')
  for (const [api, text] of Object.entries(javascript.parts.apis))
    expect(plain(python.parts.apis[api as keyof typeof javascript.parts.apis])).toBe(plain(text))
  expect(python.whole).not.toMatch(/axios|require\(/)
})

test('parts are cut out by API, and the whole has those that programs call by default', () => {
  const { introduction, apis } = javascript.parts
  expect(javascript.of(['deleteSession', 'addSession'])).toBe(
    `${introduction}\n\n${apis.addSession}\n\n${apis.deleteSession}\n`,
  )
  expect([...javascript.whole.matchAll(/^## (\w+):/gm)].map(([, api]) => api)).toEqual(
    sessionService.operations.filter(({ optIn }) => !optIn).map(({ id }) => id),
  )
  for (const type of sessionTypes) expect(introduction).toContain(`\`${type}\``)
})
