/** The scenario as a model: data from which the generic predictor makes the same transitions and answers. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import type { JsonObject, JsonValue } from '@stateeval/contracts'
import { createRng } from '@stateeval/program'
import { pickForRun } from '@stateeval/testkit/run-length'
import {
  checkModelLaws,
  compareAnswers,
  drawCall,
  emptyState,
  findModelFault,
  ServerNames,
  type ModelState,
  predictCall,
  type WorldModel,
} from '@stateeval/world-model'
import { sessionService } from '../index.ts'

const text = readFileSync(join(import.meta.dirname, '../world.json'), 'utf8')
const model = JSON.parse(text) as WorldModel

/** Documents that differ little, so that some are doubles, also by their printed text alone. */
const documents: JsonObject[] = [
  { title: 'a', level: 1 },
  { title: 'a', level: '1' },
  { level: 1, title: 'a' },
  { title: 'b', genes: ['x', 'y'], inner: { level: 2 } },
  { title: 'b', genes: ['y'], inner: { level: 3, tags: ['x'] } },
  {},
  { title: null },
]
const withDocuments = structuredClone(model)
withDocuments.types.session!.fields.data!.examples = documents

/** Filters whose operators the scenario knows and lacks. */
const filters: JsonValue[] = [
  { 'data.level': { $gte: 2 } },
  { 'data.inner.level': { $lte: 2 } },
  { 'data.title': { $in: ['a', 'c'] }, 'data.level': 1 },
  { 'data.title': { $odd: 1 } },
]

test('the model is valid, and short enough to be read', () => {
  expect(findModelFault(model)).toBeNull()
  expect(text.split('\n').length).toBeLessThanOrEqual(151)
})

test('the model keeps the laws of models', () => {
  for (let seed = 0; seed < pickForRun(10, 200); seed++) checkModelLaws(withDocuments, seed)
})

test('predictions are the transitions and answers of the scenario', () => {
  const apis = new Map(sessionService.operations.map((operation) => [operation.id, operation]))
  const seen = new Map<string, number>()
  for (let seed = 0, pairs = 0; pairs < pickForRun(2000, 10_000); seed++) {
    const rng = createRng(`pairs ${seed}`)
    let state: ModelState = emptyState
    let world = sessionService.open({ items: [] })
    const names = new ServerNames()
    for (let step = 0; step < 25; step++, pairs++) {
      const call = drawCall(withDocuments, state, rng, { faults: 0.2 })!
      if (call.operation === 'fetchSessions' && rng.chance(0.5))
        call.args = { ...call.args, filter: rng.pick(filters) }
      const predicted = predictCall(withDocuments, state, call)
      const actual = apis.get(call.operation)!.apply(world, names.resolve(call.args) as JsonObject)
      const label = `${call.operation} ${JSON.stringify(call.args)}, pair ${step} of seed ${seed}`
      const key = `${call.operation} ${predicted.status}`
      seen.set(key, (seen.get(key) ?? 0) + 1)
      expect([label, predicted.ok, predicted.ok ? 200 : predicted.status]).toEqual([
        label,
        actual.ok,
        actual.ok ? 200 : actual.error.status,
      ])
      if (predicted.ok && actual.ok)
        expect([label, compareAnswers(predicted.answer, actual.output, names)]).toEqual([label, []])
      if (actual.ok) world = actual.world
      state = predicted.state
      const items = state.items.map(({ values }) => values)
      const stored = (sessionService.observe(world).state as { items: JsonValue }).items
      expect([label, compareAnswers(items, stored, names)]).toEqual([label, []])
    }
  }
  // Every operation succeeds and is refused, in each way that it knows.
  expect([...seen.keys()].sort()).toEqual([
    'addSession 200',
    'addSession 400',
    'addSession 500',
    'deleteSession 200',
    'deleteSession 400',
    'deleteSession 404',
    'fetchSessions 200',
    'fetchSessions 400',
    'getSession 200',
    'getSession 400',
    'getSession 404',
    'listSessions 200',
    'listSessions 400',
    'querySessions 200',
    'querySessions 400',
    'updateSession 200',
    'updateSession 400',
    'updateSession 404',
    'updateSession 500',
  ])
})

test.each<[string, (changed: WorldModel) => void]>([
  ['another order', ({ types }) => (types.session!.order = 'newest')],
  ['doubles by value', ({ types }) => (types.session!.unique!.equal = 'json')],
  ['no answer for doubles', ({ operations }) => delete operations.addSession!.existing],
  ['an update that merges', ({ operations }) => (operations.updateSession!.merge = 'deep')],
])('a model with %s predicts something else', (_, change) => {
  const changed = structuredClone(withDocuments)
  change(changed)
  const differs = Array.from({ length: 40 }, (_, seed) => seed).some((seed) => {
    const rng = createRng(`changed ${seed}`)
    let [right, wrong] = [emptyState, emptyState]
    for (let step = 0; step < 25; step++) {
      const call = drawCall(withDocuments, right, rng)!
      const [a, b] = [predictCall(withDocuments, right, call), predictCall(changed, wrong, call)]
      if (JSON.stringify(a) !== JSON.stringify(b)) return true
      ;[right, wrong] = [a.state, b.state]
    }
    return false
  })
  expect(differs).toBe(true)
})
