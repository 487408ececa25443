/**
 * Each mutated answer gets exactly the partial and full match that the published rules give, and the types of
 * error that it has.
 */
import { expect, test } from '@jest/globals'
import { benchmarkOf, scoreOf } from './drive.ts'
import { mutations } from './mutations.ts'
import { caseOf, goldCalls } from './shapes.ts'

const benchmark = benchmarkOf({})

test('there are enough of them', () => expect(mutations.length).toBeGreaterThan(250))

test('each is scored as prescribed', async () => {
  const wrong: unknown[] = []
  for (const { name, shape, n, calls, answer, ...expected } of mutations) {
    const c = caseOf(goldCalls(shape, n))
    const { policies } = await scoreOf(benchmark, c, answer ?? JSON.stringify(calls))
    const [published, sound] = [policies!['published']!, policies!['sound']!]
    const errors = Object.keys(sound.metrics).flatMap((key) =>
      key.startsWith('error/') ? [key.slice(6)] : [],
    )
    const actual = {
      published: published.metrics['partial'],
      sound: sound.metrics['partial'],
      errors: errors.sort(),
    }
    const same =
      Math.abs(actual.published! - expected.published) < 1e-9 &&
      Math.abs(actual.sound! - expected.sound) < 1e-9 &&
      published.metrics['full'] === Number(expected.published === 1) &&
      sound.metrics['full'] === Number(expected.sound === 1) &&
      JSON.stringify(actual.errors) === JSON.stringify(expected.errors.toSorted())
    if (!same) wrong.push({ name, expected, found: actual, says: sound.differences.map(({ says }) => says) })
  }
  expect({ count: wrong.length, wrong: wrong.slice(0, 12) }).toEqual({ count: 0, wrong: [] })
})
