/** What models read is true: its examples are run against the service, and its claims are checked. */
import { expect, test } from '@jest/globals'
import axios from 'axios'
import { documentationOf, sessionServiceDocumentation, sessionServiceParts } from '../../documentation/javascript.ts'
import { sessionTypes } from '../../types.ts'
import { serviceOfTests } from './service.ts'

const service = serviceOfTests()

const snippets = (text: string) => [...text.matchAll(/```js\n([^]*?)```/g)].map(([, code]) => code).join('\n')
const AsyncFunction = (async () => {}).constructor as new (...args: string[]) => (...values: unknown[]) => Promise<Record<string, unknown>>
const run = (code: string, results: string) =>
  new AsyncFunction('axios', 'BASE_URL', `${code}\nreturn { ${results} }`)(axios, `http://127.0.0.1:${service.port}`)

test('the examples of the five APIs run one after the other', async () => {
  const { sessions, id, found } = await run(snippets(sessionServiceDocumentation), 'sessions, id, found')
  expect(sessions).toEqual([])
  expect(found).toEqual([{ id, data: { title: 'Overview', columns: 3 }, source: 'portal', type: 'settings' }])
  expect((await axios.get(`http://127.0.0.1:${service.port}/api/sessions/portal/settings`)).data).toEqual([])
})

test('the examples of the other APIs run', async () => {
  const { session, found } = await run(snippets(documentationOf(['addSession', 'getSession', 'fetchSessions'])), 'session, found')
  expect(session).toMatchObject({ data: { columns: 3 } })
  expect(found).toEqual([session])
})

test('parts are cut out by API, and the whole has the five of the paper', () => {
  const { introduction, apis } = sessionServiceParts
  expect(documentationOf(['deleteSession', 'addSession'])).toBe(`${introduction}\n\n${apis.addSession}\n\n${apis.deleteSession}\n`)
  expect([...sessionServiceDocumentation.matchAll(/^## (\w+):/gm)].map(([, api]) => api)).toEqual([
    'listSessions',
    'addSession',
    'querySessions',
    'updateSession',
    'deleteSession',
  ])
  for (const type of sessionTypes) expect(introduction).toContain(`\`${type}\``)
})
