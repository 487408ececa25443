/** Options that the benchmark does not have, and values above its limits. */
import { expect, test } from '@jest/globals'
import type { EvaluationOptions } from '@stateeval/contracts'
import type { Benchmark, LimitRange } from '@stateeval/program'
import { partial } from '@stateeval/testkit/partial'
import { checkOptions, completeEvaluationOptions } from './options.ts'

const usual = { turns: 10, calls: 20, tokens: 100, seconds: 60 }
const check = (limits: EvaluationOptions['limits'], range?: LimitRange) => {
  const benchmark = partial<Benchmark>({
    kind: 'quiz',
    asking: { promptings: ['direct'] },
    ...(range && { dialogues: { limits: range } }),
  })
  checkOptions(benchmark, partial<EvaluationOptions>({ prompting: 'direct', ...(limits && { limits }) }))
}

test('limits are for benchmarks that lead dialogues, within their bounds', () => {
  check(undefined)
  check({ turns: 30, seconds: 0.5 }, { usual, most: { turns: 30 } })
  check({ calls: 1000 }, { usual })
  expect(() => check({ turns: 3 })).toThrow('quiz has no dialogues; leave limits out')
  expect(() => check({ calls: 9, turns: 31 }, { usual, most: { turns: 30 } })).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('a dialogue of quiz has at most 30 turns; set turns to 30 or less'),
      field: '/limits/turns',
    }),
  )
})

test.each([
  ['shots', 5, 'few-shot'],
  ['rounds', 1, 'reflect'],
] as const)('%s belong to one prompting; the default is never refused', (name, value, prompting) => {
  const benchmark = partial<Benchmark>({
    kind: 'quiz',
    asking: { promptings: ['direct', 'few-shot', 'reflect'] },
  })
  expect(completeEvaluationOptions(benchmark, { prompting, [name]: value })).toMatchObject({ [name]: value })
  const complete = completeEvaluationOptions(benchmark, {})
  expect(completeEvaluationOptions(benchmark, complete)).toEqual(complete)
  expect(() => completeEvaluationOptions(benchmark, { [name]: value })).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(
        `only prompting ${prompting} has ${name}, and prompting is direct; set prompting to ${prompting}, or leave ${name} out`,
      ),
      field: `/${name}`,
    }),
  )
})
