/**
 * Whatever the schema and the rules of programs let in can be written and measured: odd names, texts and
 * places.
 */
import { expect, test } from '@jest/globals'
import { exampleProgram, Program, findSchemaFault, type ProgramStep } from '@stateeval/contracts'
import { isLong, arbitraryOf } from '@stateeval/testkit'
import fc from 'fast-check'
import { emit, emitters, measure, validateProgram } from '../src/index.ts'

const [numRuns, least] = isLong ? [200_000, 500] : [6_000, 20]

test('every program that is accepted can be written in every language, and measured', async () => {
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(
      arbitraryOf(Program, { texts: ['v', '/v/{v}', '/{constructor}'] }),
      fc.string(),
      async (program, instruction) => {
        expect(findSchemaFault(Program, program)).toBeNull()
        if (validateProgram(program).length > 0) return
        accepted++
        for (const { language } of emitters) expect(typeof emit(program, language)).toBe('string')
        await measure(program, { instruction })
      },
    ),
    { seed: 1, numRuns },
  )
  expect(accepted).toBeGreaterThan(least)
})

const [call] = exampleProgram.body
test.each([
  ['an argument', { ...call, args: { 'a\nb': { kind: 'oval' } } }, '/body/0/args/a\nb/kind: must be one of'],
  [
    'an entry',
    { ...call, args: { a: { kind: 'object', entries: { 'a\u2028b': 3 } } } },
    '/body/0/args/a/entries/a\u2028b: must be an object',
  ],
])('%s is held against the schema also where its name has a line break', (_, step, says) => {
  expect(validateProgram({ ...exampleProgram, body: [step] }).join()).toContain(says)
})

test('positions name arguments of the call, not what every object inherits', () => {
  const step: ProgramStep = {
    kind: 'function',
    api: 'cat',
    name: 'torch.cat',
    args: {},
    positional: ['constructor', '__proto__'],
  }
  const program = { ...exampleProgram, body: [step], result: [] }
  expect(emitters.map(({ language }) => emit(program, language))).toEqual(
    emitters.map(() => expect.stringContaining('torch.cat()')),
  )
})

test('an instruction may hold what looks like a control token', async () => {
  expect(
    (await measure(exampleProgram, { instruction: 'Say <|endoftext|>.' })).instructionTokens,
  ).toBeGreaterThan(3)
})
