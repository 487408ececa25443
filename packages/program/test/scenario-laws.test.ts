/**
 * What a contributor reads whose scenario breaks a law: both sides, and which part of which operation to look
 * at.
 */
import { expect, test } from '@jest/globals'
import type { JsonValue } from '@stateeval/contracts'
import { partial } from '@stateeval/testkit/partial'
import { type ScenarioOperation, type Scenario, checkSolvedCalls, checkRepeatedStarts } from '../src/index.ts'

type World = { lamps: string[] }
const say: ScenarioOperation<World>['say'] = { call: { kind: 'tool' }, forms: [] }
const touch: ScenarioOperation<World> = {
  id: 'touchLamp',
  *solve() {
    yield { call: { kind: 'tool', api: 'touchLamp', args: {} }, consumes: ['lamp-1'] }
  },
  apply: (world) => ({ ok: true, world, affects: [], reads: ['lamp-1'] }),
  say,
}
const scenarioOf = (
  changed: Partial<ScenarioOperation<World>>,
  start: () => JsonValue = () => ({ lamps: ['lamp-1'] }),
) =>
  partial<Scenario<World>>({
    id: 'lamps',
    operations: [{ ...touch, ...changed }],
    start: () => ({ variables: [], world: start() }),
    open: (initial: JsonValue) => initial as World,
    observe: (world: World) => ({ state: { lamps: world.lamps }, ids: { initial: [], created: [] } }),
    conditions: () => [],
  })

test('a scenario that keeps the laws passes', () => {
  expect(() => checkSolvedCalls(scenarioOf({}), 1)).not.toThrow()
})

test.each<[string, Partial<ScenarioOperation<World>>, string[]]>([
  [
    'consumes that are not what apply reads',
    { apply: (world) => ({ ok: true, world, affects: [], reads: ['lamp-2', 'lamp-1'] }) },
    ['touchLamp', 'consumes', 'apply reads', 'expected: ["lamp-1","lamp-2"]', 'actual:   ["lamp-1"]'],
  ],
  [
    'a call that apply refuses',
    { apply: () => ({ ok: false, error: { status: 404, message: 'no such lamp' } }) },
    ['touchLamp', 'solve', 'apply refuses', '404', 'no such lamp'],
  ],
  [
    'an output without a key in RESULT',
    { apply: (world) => ({ ok: true, world, output: { on: true }, affects: [], reads: ['lamp-1'] }) },
    ['touchLamp', 'gathers must name its key', '{"on":true}'],
  ],
  [
    'a key in RESULT without an output',
    { gathers: { key: 'lamp', path: [] } },
    ['touchLamp', 'the key lamp', 'apply must give an output'],
  ],
])('%s: the message says both', (_, changed, says) => {
  for (const part of says) expect(() => checkSolvedCalls(scenarioOf(changed), 1)).toThrow(part)
})

test('a start that differs the second time is shown both times', () => {
  let count = 0
  const scenario = scenarioOf({}, () => ({ lamps: [`lamp-${++count}`] }))
  expect(() => checkRepeatedStarts(scenario, 7)).toThrow(
    /seed 7.*\n {2}expected: .*lamp-1.*\n {2}actual: .*lamp-2/,
  )
})
