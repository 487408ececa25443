import { expect, test } from '@jest/globals'
import type { JsonValue, Program, Call } from '@stateeval/contracts'
import { listOptInApis } from '@stateeval/generate'
import { isLong } from '@stateeval/testkit/run-length'
import {
  createRng,
  isCall,
  listBlocks,
  listIfs,
  createLiteral,
  mutationOperators,
  createRef,
  withId,
  listWrittenSteps,
} from '@stateeval/program'
import fc from 'fast-check'
import { locatePhrases, translate, verify } from '../src/index.ts'
import { aloud, cat, randomPrograms, scenario, straight, studio } from './programs.ts'

const seeds = ['1', '2', '3']
const long = isLong
/** All in a long run, else one in turn. */
const seedsAt = (index: number) => seeds.filter((_, at) => long || at === index % seeds.length)
/** So many in a long run, else a part of them. */
const some = (count: number) => (long ? count : Math.ceil(count / 3))
const optional = randomPrograms(60, { seed: 13, apis: listOptInApis(scenario) })
const nested = randomPrograms(some(30), { seed: 16, length: 6, branches: 2.5 })
const programs: Program[] = [
  ...nested,
  ...randomPrograms(some(120), { seed: 11 }),
  ...randomPrograms(some(60), { seed: 12, controlFlow: false }),
  ...optional,
  ...randomPrograms(some(50), { seed: 14, length: 8 }),
  ...randomPrograms(some(10), { seed: 15, length: 20 }),
]

function instructionOf(program: Program, seed = '1') {
  const translation = translate({ program, scenario, seed })
  if (translation.status !== 'verified') throw new Error(`rejected: ${translation.reason}`)
  return translation.instruction
}

test('every generated program has an instruction with exactly one reading, itself, at every seed', () => {
  const rejected = programs.flatMap((program, index) =>
    seedsAt(index).flatMap((seed) => {
      const translation = translate({ program, scenario, seed })
      return translation.status === 'rejected' ? [translation.reason] : []
    }),
  )
  expect(programs).toHaveLength(long ? 330 : 151)
  expect(rejected).toEqual([])
  const called = optional.flatMap((program) =>
    listWrittenSteps(program).flatMap((step) => (isCall(step) ? step.api : [])),
  )
  expect(called).toEqual(expect.arrayContaining(scenario.operations.map(({ id }) => id)))
})

test('each step, RESULT and condition of a program is said by words of its own', () => {
  for (const program of programs.slice(0, 40)) {
    const instruction = instructionOf(program)
    const phrases = locatePhrases({ program, scenario, instruction })
    expect([...new Set(phrases.map(({ block, says }) => `${block} ${says}`))].sort()).toEqual(
      listBlocks(program)
        .flatMap(([block, { steps, branch }]) => [
          ...steps.map((_, n) => `${block} ${n}`),
          `${block} ${branch ? 'condition' : 'result'}`,
        ])
        .sort(),
    )
    let end = 0
    for (const { from, to } of phrases) {
      expect(from).toBeGreaterThanOrEqual(end)
      expect(to).toBeGreaterThan(from)
      end = to
    }
    const said = phrases.map(({ from, to }) => instruction.slice(from, to)).join('')
    for (const [quoted] of instruction.matchAll(/`[^`]+`/g)) expect(said).toContain(quoted)
    const [other] = programs.filter(({ id }) => id !== program.id)
    expect(locatePhrases({ program: other!, scenario, instruction })).toEqual([])
  }
})

/** The words that say in which case a branch runs, as a mistaken reader would exchange them. */
const misplaced: readonly (readonly [RegExp, string])[] = [
  [/does not hold(?!.*does not hold)/s, 'holds'],
  [/Still in this case, if/, 'If'],
  [/the second condition/, 'the first condition'],
  [/^([^]*\n)If (?:the \w+ condition (?:holds|does not hold)(?:, | and )?)+/, '$1Otherwise, '],
]
test('a branch in another place is another program, or none', () => {
  expect(nested.every((program) => listIfs(program).length > 1)).toBe(true)
  for (const program of nested) {
    const instruction = instructionOf(program)
    for (const [words, others] of misplaced) {
      const changed = instruction.replace(words, others)
      expect(changed).not.toBe(instruction)
      expect(verify({ program, scenario, instruction: changed }).verified).toBe(false)
    }
  }
})

test('the initial values are never said, the names of the variables that are used always are', () => {
  for (const program of programs.slice(0, 100)) {
    const instruction = instructionOf(program)
    const { body, result, branch, variables } = program
    const code = JSON.stringify([body, result, branch])
    for (const { name, values } of variables) {
      if (code.includes(`"${name}"`)) expect(instruction).toContain(`\`${name}\``)
      for (const text of JSON.stringify(values).match(/"[^"]{6,}"/g) ?? []) {
        if (!code.includes(text)) expect(instruction).not.toContain(text)
      }
    }
  }
})

test('no mutant of a program is read from its instruction or has it', () => {
  let checked = 0
  for (const [index, program] of programs.entries()) {
    if (!long && index % 4 !== 0) continue
    const seed = seeds[index % seeds.length] as string
    const instruction = instructionOf(program, seed)
    const rng = createRng(`mutants/${index}`)
    const sites = mutationOperators.flatMap((operator) =>
      long ? operator.sites(program) : rng.sample(operator.sites(program), 1),
    )
    for (const [place, site] of (long ? sites : rng.sample(sites, 5)).entries()) {
      const mutant = site.change(rng)
      expect(verify({ program: mutant, scenario, instruction })).toMatchObject({ verified: false })
      checked++
      // What isn't read back can't be said so either; that translating checks this is held at one place each.
      if (place > 0 && !long) continue
      const other = translate({ program: mutant, scenario, seed })
      if (other.status === 'verified') expect(other.instruction).not.toBe(instruction)
    }
  }
  expect(checked).toBeGreaterThan(long ? 1200 : 140)
})

test('same program and seed, same bytes; other seeds vary the wording', () => {
  for (const program of programs.slice(0, long ? 30 : 12)) {
    const copy = JSON.parse(JSON.stringify(program)) as Program
    expect(instructionOf(copy)).toBe(instructionOf(program))
    expect(new Set(['1', '2', '3', '4'].map((seed) => instructionOf(program, seed))).size).toBeGreaterThan(1)
  }
})

test('local names say nothing: renamed outputs are the same program', () => {
  const program = programs.find(({ body }) => body.length > 4) as Program
  const { id: _, ...renamed } = JSON.parse(
    JSON.stringify(program).replaceAll('response_', 'answer_'),
  ) as Program
  expect(verify({ program: withId(renamed), scenario, instruction: instructionOf(program) })).toEqual({
    readings: 1,
    verified: true,
  })
})

test('text that is no instruction has no reading', () => {
  const program = programs[0] as Program
  const instruction = instructionOf(program)
  for (const text of [
    '',
    'Do it.',
    instruction.slice(0, -20),
    `${instruction} Do it.`,
    `${instruction} \``,
    instruction.replace('RESULT', 'result'),
  ]) {
    expect(verify({ program, scenario, instruction: text })).toMatchObject({ readings: 0, verified: false })
  }
})

const nasty = fc.constantFrom(
  '`',
  '"',
  "'",
  '\\',
  '\n',
  '.',
  ' Otherwise, ',
  '. Then set RESULT to ',
  ' and ',
  '`user_variable_0`',
  '\u2028',
  '{',
  '}',

  '1. ',
  ':',
)
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.oneof(nasty, fc.string()), { maxLength: 6 }).map((parts) => parts.join('')),
)
const key = fc.oneof(
  text,
  fc.constantFrom('id', 'data', 'title', 'source', '__proto__', 'number', 'a.b', 'x-y', 'true', 'RESULT'),
)
const path = fc.array(fc.oneof(key, fc.nat({ max: 40 })), { maxLength: 4 })

test('any constant, key and path survives: what stands in it is never taken for a sentence', () => {
  fc.assert(
    fc.property(fc.jsonValue(), text, path, path, (value, field, inside, read) => {
      const list = {
        kind: 'http',
        api: 'listSessions',
        method: 'GET',
        path: '/api/sessions/{source}/{type}',
      } as const
      const query = {
        ...list,
        api: 'querySessions',
        path: '/api/sessions/{source}/{type}/query',
        query: ['field', 'value'],
      }
      const place = { source: createRef('user_variable_0', 'source'), type: createLiteral(field) }
      const program = straight(
        [
          { ...list, args: place, binds: 'a' },
          {
            kind: 'edit',
            target: createRef('user_variable_1', ...inside),
            value: createLiteral(JSON.parse(JSON.stringify(value)) as JsonValue),
          },
          {
            kind: 'edit',
            target: createRef('a', ...read),
            value: {
              kind: 'object',
              entries: { 'x, y': createRef('a', 3, ...inside), z: createLiteral(field) },
            },
          },
          {
            ...query,
            args: { ...place, field: createLiteral(field), value: createRef('a', ...read) },
            binds: 'b',
          },
        ],
        [
          { key: 'a', value: createRef('a', ...inside) },
          { key: 'b', value: createRef('b') },
        ],
      )
      expect(translate({ program, scenario, seed: 1 })).toMatchObject({ status: 'verified' })
    }),
    { seed: 5, numRuns: long ? 300 : 60 },
  )
})

test('functions and tools: lists, arguments left out, outputs told apart', () => {
  const both = { kind: 'list', items: [createRef('user_variable_0'), createRef('user_variable_1')] } as const
  const calls = [
    cat('a', { ...both, items: [...both.items] }, 1),
    cat('b', { kind: 'list', items: [createRef('a'), createRef('user_variable_1'), createRef('a')] }, -2),
    aloud('c', {
      text: createLiteral('Then stop. Otherwise, go on and read "it" aloud in the voice "Emma".'),
    }),
    aloud('d', {
      text: createRef('user_variable_0'),
      voice: createLiteral('Emma'),
      stability: createLiteral(0.5),
    }),
    aloud('e', { text: createRef('user_variable_0', 'text'), stability: createLiteral(0.5) }),
  ]
  const program = straight(
    calls,
    ['b', 'c', 'e'].map((name) => ({ key: name, value: createRef(name) })),
  )
  for (const seed of ['1', '2', '3', '4', '5'])
    expect(translate({ program, scenario: studio, seed })).toMatchObject({ status: 'verified' })
})

test('what no sentence can say is rejected with the reason', () => {
  const reason = (program: Program) => {
    const translation = translate({ program, scenario: studio, seed: 1 })
    return translation.status === 'rejected' ? translation.reason : 'verified'
  }
  const one = aloud('c', { text: createLiteral('x') })
  expect(reason(straight([{ ...one, api: 'hum' }]))).toBe('the scenario has no API hum')
  expect(reason(straight([{ ...one, args: {} }]))).toBe('no phrase of speak says this call')
  expect(
    reason(straight([{ ...cat('a', createLiteral([1, 2]), 0), name: 'torch.stack' } as Call])),
  ).toContain('not called as its documentation says')
  expect(reason(straight([one, one]))).toContain('bound twice')
  expect(reason(straight([one], [{ key: 'd', value: createRef('d') }]))).toContain('cannot be phrased')
  expect(reason({ ...straight([]), world: '\ud800' })).toContain('Unicode')
})
