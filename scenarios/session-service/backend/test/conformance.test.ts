/**
 * The exchanges recorded from upstream, replayed; STATEEVAL_DATASETS names the folder that holds
 * session-service/observed.json.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Exchange, replay, Tokens } from './replay.ts'
import { startDatabase, startService, type TestDatabase } from './service.ts'

interface Recorded {
  request: { method: string; path: string; body?: string }
  status: number
  body?: string
  allow?: string
}

/**
 * What may differ, by request, with the reason. Everything else must be equal to the letter, ids and times
 * aside.
 */
const mayDiffer: Record<string, string> = {
  'POST /api/sessions/a%2Fb/settings':
    'HTML page of the web server: the status is equal, the body is the service’s error form',
  'GET /api/sessions/qq1/settings/query?field=data.page&value=a%22b':
    'upstream pastes the value into a filter text, so that a quote breaks it (400); here it is a value like any other',
  'GET /api/sessions/qq1/settings/query?field=da%22ta&value=x':
    'upstream pastes the field into a filter text, so that a quote breaks it (400); here it is a field that no session has',
  'GET /api/sessions/qq1/settings/query?field=data.page&value=%5C':
    'upstream pastes the value into a filter text, so that a backslash breaks it (400); here it is a value like any other',
  'GET /error': 'the error page of upstream’s framework; here an unknown path (404)',
}
/** Headers that were sent but stand in no record. */
const unrecorded: Record<string, Record<string, string>> = {
  'GET /api/sessions/body/group': { accept: 'application/xml' },
}

const folder = process.env['STATEEVAL_DATASETS']
const file = folder && join(folder, 'session-service', 'observed.json')
const available = file !== undefined && existsSync(file)
if (!available)
  console.warn(
    'skipped: the recorded exchanges of upstream; set STATEEVAL_DATASETS to the folder that holds session-service/observed.json',
  )

let database: TestDatabase
beforeAll(async () => {
  if (available) database = await startDatabase()
})
afterAll(() => database?.stop())

const toExchange = ({ request, status, allow, body }: Recorded): Exchange => {
  const name = `${request.method} ${request.path}`
  return {
    method: request.method,
    path: request.path.replace('<300 x>', 'x'.repeat(300)),
    ...(request.body === undefined ? {} : { body: request.body }),
    ...(unrecorded[name] ? { headers: unrecorded[name] } : {}),
    status,
    ...(allow === undefined ? {} : { allow }),
    ...(body === undefined ? {} : { answer: body.replace('<300 x>', 'x'.repeat(300)) }),
  }
}

;(available ? test : test.skip)('answers as upstream did', async () => {
  const { exchanges } = JSON.parse(readFileSync(file as string, 'utf8')) as { exchanges: Recorded[] }
  const service = await startService(database)
  const tokens = new Tokens()
  const wrong: Record<string, string[]> = {}
  const different = new Set<string>()
  for (const [i, recorded] of exchanges.entries()) {
    const name = `${recorded.request.method} ${recorded.request.path}`
    const differences = await replay(service.port, toExchange(recorded), tokens)
    if (differences.length > 0 && name in mayDiffer) different.add(name)
    else if (differences.length > 0) wrong[`${i}: ${name} ${recorded.request.body ?? ''}`] = differences
  }
  await service.stop()
  expect(exchanges.length).toBeGreaterThan(160)
  expect(wrong).toEqual({})
  // The list stays true: what no longer differs leaves it.
  expect([...different].sort()).toEqual(Object.keys(mayDiffer).sort())
})
