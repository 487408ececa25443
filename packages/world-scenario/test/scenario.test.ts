/** The generic scenario keeps the laws of scenarios, for every model. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { JsonValue, WorldState } from '@stateeval/contracts'
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
import { compareAnswers, findModelFault, type WorldModel } from '@stateeval/world-model'
import { createLibrary } from '../../world-model/test/library.ts'
import { createWorldScenario } from '../src/index.ts'
import { createBuckets } from './buckets.ts'
import { runOnModelledWorld } from './modelled.ts'

const sessions = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../scenarios/session-service/world.json'), 'utf8'),
) as WorldModel
type Outcome = Parameters<typeof compare>[0]
const emptyWorld: WorldState = { state: {}, ids: { initial: [], created: [] }, gone: [] }
const seeds = Array.from({ length: pickForRun(4, 30) }, (_, seed) => seed)

describe.each([
  ['sessions', sessions],
  ['library', createLibrary()],
  ['buckets', createBuckets()],
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
        const { result, names } = await runOnModelledWorld(model, program, input)
        expect([program.id, compareAnswers(run.result, result, names)]).toEqual([program.id, []])
        const later = JSON.parse(
          JSON.stringify(result).replaceAll('"2025-01-01T', '"2026-02-03T'),
        ) as JsonValue
        const outcomes = [result, later].map((one) => ({ result: one, world: emptyWorld })) as [
          Outcome,
          Outcome,
        ]
        expect(compare(...outcomes, scenario.compareFor!(program)).equal).toBe(true)
        if (!compare(...outcomes, scenario.compare).equal) clocks++
      }
      if (index < 4) checkVariedShapes(scenario, program, index)
    }
    expect(clocks > 0).toBe(id !== 'sessions')
  })
})
