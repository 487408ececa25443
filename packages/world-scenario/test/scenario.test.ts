/** The generic scenario keeps the laws of scenarios, for every model. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { JsonValue } from '@stateeval/contracts'
import { defaultOptions, generate } from '@stateeval/generate'
import {
  checkConditions,
  checkDocumentation,
  checkRepeatedStarts,
  checkSolvedCalls,
  checkVariedShapes,
  emit,
  interpret,
  listInputs,
  type Scenario,
  validateProgram,
} from '@stateeval/program'
import { compare } from '@stateeval/score'
import { pickForRun } from '@stateeval/testkit/run-length'
import { translate } from '@stateeval/translate'
import { findModelFault, type WorldModel, type WorldType } from '@stateeval/world-model'
import { createLibrary } from '../../world-model/test/library.ts'
import { createModelWorld } from '../backend/index.ts'
import { createWorldScenario } from '../src/index.ts'
import { createBuckets } from './buckets.ts'
import { runOnModelledWorld } from './modelled.ts'

const sessions = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../scenarios/session-service/world.json'), 'utf8'),
) as WorldModel
const seeds = Array.from({ length: pickForRun(4, 30) }, (_, seed) => seed)

/** Ids that are numbers. */
function withCountedIds(model: WorldModel): WorldModel {
  const { author, book, ...types } = model.types
  const counted = (type: WorldType): WorldType => ({
    ...type,
    fields: { ...type.fields, id: { type: 'integer' } },
  })
  return { ...model, types: { author: counted(author!), book: counted(book!), ...types } }
}

describe.each([
  ['sessions', sessions],
  ['library', createLibrary()],
  ['buckets', createBuckets()],
  ['counted ids', withCountedIds(createLibrary())],
])('%s', (id, model) => {
  const scenario = createWorldScenario(model, { id }) as unknown as Scenario
  test('the model is valid', () => expect(findModelFault(model)).toBeNull())
  test('every solved call succeeds, and apply changes nothing that it is given', () =>
    seeds.forEach((seed) => checkSolvedCalls(scenario, seed)))
  test('starts repeat and everything is JSON', () =>
    seeds.forEach((seed) => checkRepeatedStarts(scenario, seed)))
  test('models read of every API', () => checkDocumentation(scenario, ['javascript', 'python']))
  test('conditions hold', () => seeds.forEach((seed) => checkConditions(scenario, seed)))
  test('programs are valid, said, written in both languages, and do on a world what is predicted', async () => {
    let clocks = 0
    const programs = Array.from(generate(scenario, { ...defaultOptions, count: pickForRun(5, 40) }))
    expect(programs.length).toBe(pickForRun(5, 40))
    for (const { program, index } of programs) {
      expect(validateProgram(program, scenario)).toEqual([])
      expect(translate({ program, scenario, seed: 1 })).toMatchObject({ status: 'verified' })
      expect(emit(program, 'python')).toContain('requests.')
      for (const input of listInputs(program)) {
        const run = interpret(program, scenario, input)
        if (!run.ok) throw new Error(run.error)
        const actual = await runOnModelledWorld(createModelWorld(model, id), program, input)
        const rules = scenario.compareFor!(program)
        const verdict = compare({ result: run.result, world: run.world }, actual, rules)
        expect([program.id, verdict]).toEqual([program.id, { equal: true }])
        const later = JSON.parse(
          JSON.stringify(actual.result).replaceAll('"2025-01-01T', '"2026-02-03T'),
        ) as JsonValue
        const others = [actual, { ...actual, result: later }] as const
        expect(compare(...others, rules).equal).toBe(true)
        if (!compare(...others, scenario.compare).equal) clocks++
      }
      if (index < 4) checkVariedShapes(scenario, program, index)
    }
    expect(clocks > 0).toBe(id !== 'sessions')
  })
})
