/** Initial values in instructions are found, and nothing else is taken for one. */
import { expect, test } from '@jest/globals'
import { createRng, createLiteral, createRef } from '@stateeval/program'
import { findLeaks, translate } from '../src/index.ts'
import { aloud, randomPrograms, scenario, straight } from './programs.ts'

const spoken = [...randomPrograms(50, { seed: 21 }), ...randomPrograms(10, { seed: 22, length: 8 })].flatMap(
  (program) => {
    const translation = translate({ program, scenario, seed: 1 })
    return translation.status === 'verified' ? [{ program, instruction: translation.instruction }] : []
  },
)

test('instructions that name no value have no leak', () => {
  expect(spoken).toHaveLength(60)
  expect(spoken.flatMap(({ program, instruction }) => findLeaks(instruction, program))).toEqual([])
})

test('a value put anywhere into an instruction is found', () => {
  const rng = createRng('leaks')
  let tried = 0
  for (const { program, instruction } of spoken) {
    const code = JSON.stringify({ ...program, variables: [], world: null }).toLowerCase()
    const texts = program.variables
      .flatMap(({ values }) => leaves(values))
      .filter((text) => text.length >= 5 && /\s/.test(text) && !code.includes(text.toLowerCase()))
    if (texts.length === 0) continue
    const value = rng.pick(texts)
    const words = instruction.split(' ')
    const at = rng.int(0, words.length)
    const leaking = [...words.slice(0, at), value, ...words.slice(at)].join(' ')
    expect(findLeaks(leaking, program).map((leak) => leak.value)).toContain(value.trim())
    tried++
  }
  expect(tried).toBeGreaterThan(10)
})
const leaves = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : value !== null && typeof value === 'object'
      ? Object.values(value).flatMap(leaves)
      : []

const program = {
  ...straight([
    aloud('response_0', { text: createRef('user_variable_0', 'title'), voice: createLiteral('Ada') }),
  ]),
  variables: [
    {
      name: 'user_variable_0',
      role: 'user' as const,
      values: [{ title: 'Quarterly plan', pages: 42, short: 'ab', few: 3, share: 0.25 }],
    },
    { name: 'user_constant_0', role: 'placeholder' as const, values: ['Ada', 'Berta'] },
  ],
  world: { items: [{ title: 'Old minutes', kind: 'number' }] },
}
test.each<[string, string[]]>([
  ['Read the title of `user_variable_0` aloud in the voice "Ada".', []],
  ['Read the “Quarterly  plan” aloud.', ['Quarterly plan']],
  ['Read the QUARTERLY PLAN of 42 pages.', ['Quarterly plan', '42']],
  ['Read 420 quarterly plans.', []],
  ['If it is Berta, or a quarter (0.25), or one of 3.', ['0.25', 'Berta']],
  ['Delete the old minutes.', ['Old minutes']],
  ['Count the number of `number`.', ['number']],
  ['Count the number of them.', []],
])('%s leaks %j', (instruction, values) => {
  expect(findLeaks(instruction, program).map(({ value }) => value)).toEqual(values)
})
