/**
 * What models and translators read of a program: its instruction, which has one reading, and prompts that
 * hold no value.
 */
import { expect, test } from '@jest/globals'
import { type Case, exampleProgram, type Language } from '@stateeval/contracts'
import {
  createRng,
  describeTensor,
  buildInput,
  isTensor,
  mutationOperators,
  validateProgram,
} from '@stateeval/program'
import { buildBrief, findLeaks, translate, verify } from '@stateeval/translate'
import { stateeval } from '../../../benchmarks/stateeval/index.ts'
import { documentations } from '../documentation/index.ts'
import { programsOf, long, scenario } from './programs.ts'

const programs = [
  ...programsOf({ count: long ? 600 : 40, seed: 51 }),
  ...programsOf({ count: long ? 100 : 3, seed: 52, length: 10 }),
  ...programsOf({ count: long ? 20 : 1, seed: 53, length: 25, observable: false }),
].map(({ program }) => program)
const instructed = programs.map((program, n) => {
  const translation = translate({ program, scenario, seed: n })
  if (translation.status !== 'verified') throw new Error(`${translation.reason}\n${JSON.stringify(program)}`)
  return { program, instruction: translation.instruction }
})

test('every program has an instruction with exactly one reading, itself, that gives no initial value away', () => {
  for (const { program, instruction } of instructed) {
    expect(verify({ program, scenario, instruction })).toEqual({ readings: 1, verified: true })
    expect(findLeaks(instruction, program)).toEqual([])
  }
})

test('no mutant of a program is read from its instruction', () => {
  for (const [n, { program, instruction }] of instructed.entries()) {
    const rng = createRng(`mutants/${n}`)
    const sites = mutationOperators.flatMap((operator) => operator.sites(program))
    for (const site of rng.sample(sites, long ? 20 : 3))
      expect(verify({ program: site.change(rng), scenario, instruction })).toMatchObject({ verified: false })
  }
})

const benchmark = stateeval({ scenario: () => scenario })
test.each<Language>(['javascript', 'python'])(
  'prompts in %s tell shapes and rules of functions, never a value',
  (language) => {
    for (const { program, instruction } of instructed.slice(0, 10)) {
      const c: Case = {
        id: 'a',
        scenario: scenario.id,
        world: scenario.world,
        instruction,
        variables: program.variables.map(({ name, values: [value] }) => ({
          name,
          type: isTensor(value) ? describeTensor(value.$tensor) : typeof value,
        })),
        program,
        oracles: [
          {
            input: buildInput(program),
            result: {},
            world: { state: {}, ids: { initial: [], created: [] }, gone: [] },
          },
        ],
        flags: [],
        metrics: {},
      }
      expect(benchmark.parse(JSON.stringify(c))).toEqual(c)
      const turn = benchmark.episode.start(c, { language, prompting: 'direct' })
      if (!('need' in turn) || turn.need.kind !== 'reply') throw new Error('no prompt')
      const text = turn.need.append.map(({ content }) => content).join('\n')
      expect(text).toMatch(/`user_tensor_0`: float32 tensor of shape \[\d+, \d+, \d+, \d+\]/)
      expect(text).toContain('torch and ')
      for (const never of [
        'BASE_URL',
        'axios',
        'requests',
        'service',
        '$tensor',
        ...JSON.stringify(program.variables).match(/[0-9a-f]{64}/g)!,
      ])
        expect(text).not.toContain(never)
      const brief = buildBrief(program, scenario, language)
      expect(brief?.variables).toMatch(/`user_tensor_0`: float32 tensor of shape/)
      expect(brief?.variables).not.toContain('artifact')
    }
  },
)

test('a case with a bad tensor is refused with its field', () => {
  const { program } = instructed[0]!
  const bad = (tensor: object) =>
    validateProgram(
      {
        ...program,
        variables: [
          { name: 'user_tensor_0', role: 'user', values: [{ $tensor: tensor }] },
          ...program.variables.slice(1),
        ],
      },
      scenario,
    )
  const data = Buffer.from(new Float32Array([1, Number.NaN]).buffer).toString('base64')
  expect(bad({ dtype: 'float32', shape: [2], data })).toEqual([
    '/variables/0/values/0: has a value that is not a finite number, at position 1 of its data',
  ])
  expect(bad({ dtype: 'complex64', shape: [2], data })[0]).toContain(
    '/variables/0/values/0: has the dtype "complex64", which is not supported',
  )
  expect(bad({ dtype: 'float32', shape: [2048, 2048], data })[0]).toContain('at most 1048576 are allowed')
  expect(validateProgram({ ...exampleProgram, scenario: scenario.id }, scenario)[0]).toContain(
    'has no API listSessions',
  )
})

test('every API is documented in both languages, with an example that names it', () => {
  for (const [language, { parts, whole }] of Object.entries(documentations))
    for (const { id, say } of scenario.operations) {
      const text = parts.apis[id as keyof typeof parts.apis]
      expect([language, text]).toEqual([language, expect.stringContaining(`## ${id}: `)])
      expect(text.split('```')[1]).toContain((say.call as { name: string }).name)
      expect(whole).toContain(text)
    }
})
