/**
 * What is missing, torn or cut short in the store: named with what to do, and whole again once it is stored
 * again.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  type BenchmarkResource,
  evaluationOperations,
  type Problem,
  ProblemError,
  WritingOptions,
  sha256,
} from '@stateeval/contracts'
import { createChecker } from '@stateeval/service-kit'
import { startScriptedModel, startSuite, type Suite } from '@stateeval/testkit'
import { shopText } from '../../../benchmarks/wapiibench/test/creation/tasks.ts'
import type { EvaluationContext } from '../src/context.ts'
import { computeManifestDigest } from '@stateeval/program'
import { type Caller, callerAt } from './over-http.ts'

let suite: Suite
let context: EvaluationContext
const caller = callerAt(() => suite.urls['evaluation'] as string)
const call: Caller['call'] = (...request) => caller.call(...request)
beforeAll(async () => {
  suite = await startSuite({ only: ['evaluation'] })
  context = suite.services['evaluation']!.context as EvaluationContext
  await context.platform.bus.ready()
})
afterAll(() => suite?.stop())

/**
 * The contract's example of a folder, with a data card and a file that nothing reads. Another seed is another
 * set: cases are kept in memory.
 */
let seed = 0
function folder() {
  const { manifest, cases } = evaluationOperations.importBenchmark.example
  const [file, readme] = [Buffer.from('some bytes'), '# A set\n']
  const files = {
    ...manifest.files,
    'README.md': sha256(readme),
    [`artifacts/${sha256(file)}`]: sha256(file),
  }
  const whole = { ...manifest, seed, files }
  return {
    manifest: { ...whole, digest: computeManifestDigest(whole) },
    cases,
    readme,
    artifacts: { [sha256(file)]: file.toString('base64') },
  }
}
const imported = async () => {
  const { status, body } = await call<BenchmarkResource>('POST', '/v1/benchmarks/import', folder())
  expect([status, body]).toMatchObject([201, { status: 'succeeded' }])
  return body.id
}
const parts = () => context.platform.mongo.collection<{ text: string }>('cases')
const chunks = () => context.platform.mongo.db.collection<{ _id: string }>('artifacts')
const [artifact = ''] = Object.keys(folder().artifacts)

test.each<[string, (id: string) => Promise<unknown>, string, RegExp]>([
  [
    'a case that is missing',
    (id) => parts().deleteOne({ _id: `${id}/0000000` }),
    'cases',
    /0000000, a part .* is missing/,
  ],
  [
    'a case that is torn',
    (id) => parts().updateOne({ _id: `${id}/0000000` }, { $set: { text: '"{to' } }),
    'cases',
    /0000000, .* is damaged/,
  ],
  [
    'a case that is no JSON',
    (id) => parts().updateOne({ _id: `${id}/0000000` }, { $set: { text: '"{to"' } }),
    'cases',
    /0000000, .* is damaged/,
  ],
  [
    'a data card that is missing',
    (id) => parts().deleteOne({ _id: `${id}/readme` }),
    'files/README.md',
    /readme, a part .* is missing/,
  ],
  [
    'an artifact that is missing',
    () => chunks().deleteOne({ _id: `${artifact}:0` }),
    `files/artifacts/${artifact}`,
    /no longer stored/,
  ],
  [
    'an artifact of other bytes',
    () => chunks().updateOne({ _id: `${artifact}:0` }, { $set: { of: 1, data: Buffer.from('other') } }),
    `files/artifacts/${artifact}`,
    /is damaged in the store/,
  ],
])('%s is named, and there again once the folder is imported again', async (_, damage, at, says) => {
  seed++
  const id = await imported()
  const look = () => call<Problem>('GET', `/v1/benchmarks/${id}/${at}`)
  await damage(id)
  const { status, body } = await look()
  expect(status).toBeGreaterThanOrEqual(400)
  expect(body.detail).toMatch(says)
  expect(body.detail).toMatch(/import/)
  expect(await imported()).toBe(id)
  expect((await look()).status).toBe(200)
  expect((await call('GET', `/v1/benchmarks/${id}/files/cases.jsonl`)).text).toBe(folder().cases)
})

test('a case that was changed where it is stored is what it was once the folder is imported again', async () => {
  seed++
  const id = await imported()
  await parts().updateOne({ _id: `${id}/0000000` }, { $set: { text: JSON.stringify('{"id":"another"}') } })
  expect(await imported()).toBe(id)
  expect((await call('GET', `/v1/benchmarks/${id}/files/cases.jsonl`)).text).toBe(folder().cases)
})

test('a folder without its data card is refused: what it gives later would be no folder', async () => {
  const { readme: _, ...rest } = folder()
  const { status, body } = await call<Problem>('POST', '/v1/benchmarks/import', rest)
  expect([status, body.field, body.detail]).toEqual([
    422,
    '/readme',
    expect.stringContaining('README.md is missing'),
  ])
})

test('a folder with a file that its manifest does not name is refused by that name', async () => {
  const { manifest, ...rest } = folder()
  const { [`artifacts/${artifact}`]: _, ...files } = manifest.files
  const other = { ...manifest, files }
  const { status, body } = await call<Problem>('POST', '/v1/benchmarks/import', {
    ...rest,
    manifest: { ...other, digest: computeManifestDigest(other) },
  })
  expect([status, body.field]).toEqual([422, `/artifacts/${artifact}`])
  expect(body.detail).toContain(`artifacts/${artifact} is not in the manifest`)
})

test('a build of tasks that breaks off as it is stored leaves no build whose cases name what is not there', async () => {
  const model = await startScriptedModel(() => ({ say: '' }))
  await call('PUT', '/v1/models/writer', { baseUrl: model.baseUrl, model: 'x' })
  const { owners } = context.jobs
  context.jobs.owners = {
    ...owners,
    create: () =>
      Promise.reject(new ProblemError('unavailable', 'the database is away; try again in a moment')),
  }
  const request = { kind: 'wapiibench', id: 'shop', specification: shopText, model: 'writer' }
  expect((await call('POST', '/v1/benchmarks/specifications', request)).status).toBe(503)
  context.jobs.owners = owners
  await model.close()
  const options = createChecker(WritingOptions).complete({ id: 'shop' })
  const { artifacts } = context.catalog
    .benchmark('wapiibench')
    .building!.writing!.open(shopText, options, context.settings.prompts['wapiibench']!)
  for (const hash of Object.keys(artifacts)) expect(await context.platform.artifacts.get(hash)).not.toBeNull()
})
