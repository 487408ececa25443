/** Scenarios of models, by the hash of what they predict. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { evaluationOperations, formatWorldId, parseWorldId, sha256 } from '@stateeval/contracts'
import {
  computeModelDigest,
  formatCanonicalModel,
  readCanonicalModel,
  type WorldModel,
} from '@stateeval/world-model'
import { createBuckets } from '../../packages/world-scenario/test/buckets.ts'
import { loadScenario } from '../index.ts'

const sessions = JSON.parse(
  readFileSync(join(import.meta.dirname, '../session-service/world.json'), 'utf8'),
) as WorldModel
const models = [
  sessions,
  createBuckets(),
  evaluationOperations.createWorldModel.example as unknown as WorldModel,
]

test.each(models)('$title is the same model in its canonical text', async (model) => {
  const text = formatCanonicalModel(model)
  const hash = sha256(text)
  expect(computeModelDigest(model)).toBe(`sha256:${hash}`)
  expect(formatCanonicalModel(readCanonicalModel(text))).toBe(text)
  // Another count of confirmations is the same model.
  const facts = { '': { by: 'probe', confirmed: 7 } } as const
  expect(formatCanonicalModel({ ...model, facts })).toBe(text)
  const id = formatWorldId(hash)
  expect(parseWorldId(id)).toBe(hash)
  const load = (asked: string) => Promise.resolve(asked === hash ? Buffer.from(text) : null)
  const scenario = await loadScenario(id, load)
  expect(scenario).toMatchObject({ id, world: id, title: model.title })
  expect(await loadScenario(id, load)).toBe(scenario)
  expect(await loadScenario(id, () => Promise.resolve(null))).toBeNull()
})

test('a stored text that is no model is no scenario', async () => {
  const [, buckets] = models as [WorldModel, WorldModel]
  const { bucket: _, ...types } = buckets.types
  const wrong = [
    '',
    '[]',
    'null',
    '{"schema":"stateeval-world/1"}',
    formatCanonicalModel({ ...buckets, types }),
  ]
  for (const text of [...wrong, formatCanonicalModel({ ...buckets, types: {}, operations: {} })])
    expect(
      await loadScenario(formatWorldId(sha256(text)), () => Promise.resolve(Buffer.from(text))),
    ).toBeNull()
  for (const id of ['world@', 'world@sha256:1', `world@sha256:${'0'.repeat(65)}`, 'constructor'])
    expect([await loadScenario(id, () => Promise.resolve(Buffer.from('{}'))), parseWorldId(id)]).toEqual([
      null,
      null,
    ])
})
