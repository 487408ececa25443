import { describe, expect, test } from '@jest/globals'
import { type Program, canonicalJson } from '@stateeval/contracts'
import {
  listExecutionPaths,
  buildInput,
  interpret,
  isCall,
  type Scenario,
  validateProgram,
  listPathInputs,
  listWrittenSteps,
} from '@stateeval/program'
import { sessionService } from '@stateeval/scenario-session-service'
import { formatStructure } from '../src/filters/structure.ts'
import { defaultOptions, type GenerateOptions, generate, listOptInApis, strategyIds } from '../src/index.ts'
import { without } from './by-running.ts'

const scenario: Scenario = sessionService
const all = (options: Partial<GenerateOptions>) =>
  Array.from(generate(scenario, { ...defaultOptions, ...options }))
const count = 16
const sets = strategyIds.map((strategy) => [strategy, all({ strategy, count, seed: 42 })] as const)

describe.each(sets)('programs by %s', (strategy, generated) => {
  const programs = generated.map(({ program }) => program)

  test('are as many as wanted, valid, and different in structure', () => {
    expect(programs).toHaveLength(count)
    for (const program of programs) expect(validateProgram(program, scenario)).toEqual([])
    expect(new Set(programs.map(formatStructure)).size).toBe(count)
  })
  test('have five calls on every path', () => {
    for (const program of programs)
      for (const { steps } of listExecutionPaths(program)) expect(steps.filter(isCall)).toHaveLength(5)
  })
  test('take `then` on their first input and `otherwise` on the flipped one', () => {
    const branched = programs.filter(({ branch }) => branch)
    expect(branched.length).toBeGreaterThan(count / 2)
    for (const program of branched) {
      expect(interpret(program, scenario, buildInput(program, 0))).toMatchObject({ ok: true, branch: 'then' })
      expect(interpret(program, scenario, buildInput(program, 1))).toMatchObject({
        ok: true,
        branch: 'otherwise',
      })
    }
  })
  test('never name an id as a constant, and give something in RESULT', () => {
    for (const program of programs) {
      expect(JSON.stringify(listWrittenSteps(program))).not.toMatch(/initial-\d|created-\d/)
      for (const input of listPathInputs(program)) {
        const run = interpret(program, scenario, input)
        expect(run.ok && Object.keys(run.result).length).toBeGreaterThan(0)
      }
    }
  })
  test('are the same for the same options, byte for byte', () => {
    const again = all({ strategy, count: 6, seed: 42 }).map(({ program }) => canonicalJson(program))
    expect(again).toEqual(programs.slice(0, 6).map((program) => canonicalJson(program)))
    expect(all({ strategy, count: 1, seed: 43 })[0]?.program.id).not.toBe(programs[0]?.id)
  })
})

/** RESULT and the stored items with ids blanked, written apart from the filter that is tested. */
function trace(program: Program, choice: 0 | 1): string {
  const run = interpret(program, scenario, buildInput(program, choice))
  if (!run.ok) return 'failed'
  const { items } = run.world.state as { items: object[] }
  const text = JSON.stringify([run.result, items.map((item) => JSON.stringify(item)).sort()])
  return text.replace(/created-\d+/g, 'created')
}

test('omitting any call or edit shows on at least one input', () => {
  for (const { program } of all({ count: 20, seed: 5, strategy: 'random' })) {
    listWrittenSteps(program).forEach((_, index) => {
      const less = without(program, index)
      if (less) expect([trace(less, 0), trace(less, 1)]).not.toEqual([trace(program, 0), trace(program, 1)])
    })
  }
})

test('without the filter, some calls can be omitted: the filter has something to do', () => {
  const free = all({ count: 60, seed: 5, strategy: 'random', observable: false })
  const idle = free.filter(({ program }) =>
    listWrittenSteps(program).some((_, index) => {
      const less = without(program, index)
      return less && trace(less, 0) === trace(program, 0) && trace(less, 1) === trace(program, 1)
    }),
  )
  expect(idle.length).toBeGreaterThan(0)
})

test.each([2, 3, 12, 24])('programs of %i calls', (length) => {
  const programs = all({ count: 2, length, seed: 3 }).map(({ program }) => program)
  expect(programs).toHaveLength(2)
  for (const program of programs)
    for (const { steps } of listExecutionPaths(program)) expect(steps.filter(isCall)).toHaveLength(length)
})

test('straight programs where control flow is off, and opt-in APIs where they are asked for', () => {
  expect(all({ count: 8, controlFlow: false }).every(({ program }) => !program.branch)).toBe(true)
  const apis = listOptInApis(scenario)
  const called = all({ count: 8, apis }).flatMap(({ program }) =>
    listWrittenSteps(program).flatMap((step) => (isCall(step) ? step.api : [])),
  )
  expect(apis).toContain('getSession')
  expect(called).toEqual(expect.arrayContaining(apis))
})

test('local edits occur, from constants and from other values', () => {
  const edits = sets.flatMap(([, generated]) =>
    generated.flatMap(({ program }) => listWrittenSteps(program).filter((step) => !isCall(step))),
  )
  expect(new Set(edits.map((edit) => (edit.kind === 'edit' ? edit.value.kind : '')))).toEqual(
    new Set(['literal', 'reference']),
  )
})

test('a space of few programs ends the generation, and the summary says so', () => {
  const small: Scenario = {
    ...scenario,
    operations: scenario.operations.filter(({ id }) => id === 'listSessions'),
  }
  const generation = generate(small, { ...defaultOptions, count: 10_000, length: 2, controlFlow: false })
  let programs = 0
  for (;;) {
    const next = generation.next()
    if (next.done) {
      expect(next.value).toMatchObject({ programs, exhausted: true })
      expect(next.value.drops.repeated_structure).toBeGreaterThan(0)
      return
    }
    programs++
  }
})

test.each([
  [{ length: 1 }, 'length'],
  [{ length: 1e9 }, 'length'],
  [{ count: 0 }, 'count'],
  [{ seed: -1 }, 'seed'],
  [{ apis: ['dropDatabase'] }, 'dropDatabase'],
])('bad options %p are refused with the name of the field', (options, name) =>
  expect(() => all(options)).toThrow(name),
)
