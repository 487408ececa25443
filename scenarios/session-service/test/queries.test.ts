/**
 * What generated programs query: several sessions match and others don't, or "all", "the last" and a plain
 * list would do.
 */
import { expect, test } from '@jest/globals'
import { defaultOptions, generate } from '@stateeval/generate'
import { buildInput, interpret, type ScenarioOperation, type Scenario } from '@stateeval/program'
import { sessionService } from '../index.ts'
import { listCollection, type SessionWorld } from '../state.ts'

test('every query has several matches, and its place holds other sessions', () => {
  const queries: { matches: number; total: number }[] = []
  const watched: Scenario<SessionWorld> = {
    ...sessionService,
    operations: sessionService.operations.map((operation): ScenarioOperation<SessionWorld> => {
      if (operation.id !== 'querySessions') return operation
      const apply: typeof operation.apply = (world, args) => {
        const transition = operation.apply(world, args)
        const matches = transition.ok && Array.isArray(transition.output) ? transition.output.length : 0
        queries.push({ matches, total: listCollection(world, args['source'], args['type']).length })
        return transition
      }
      return { ...operation, apply }
    }),
  }
  for (const { program } of generate(sessionService, { ...defaultOptions, seed: 424243, count: 40 }))
    for (const choice of program.branch ? ([0, 1] as const) : ([0] as const))
      interpret(program, watched, buildInput(program, choice))
  expect(queries.length).toBeGreaterThan(40)
  for (const { matches, total } of queries) {
    expect(matches).toBeGreaterThan(1)
    expect(total).toBeGreaterThan(matches)
  }
})
