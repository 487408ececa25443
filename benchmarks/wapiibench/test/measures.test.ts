/** Metrics over samples (README, Measures), against numbers worked out by hand. */
import { expect, test } from '@jest/globals'
import type { ScoredSample } from '@stateeval/contracts'
import fc from 'fast-check'
import { computeRequestMeasures } from '../aggregate/measures.ts'
import type { WapiiPolicy } from '../readings.ts'
import { styles } from '../emit/styles.ts'
import { scoreOf } from './drive.ts'
import { sampleBenchmark, sampleCases } from './sample.ts'

const sample = (verdict: string, metrics: Record<string, number> = {}) => ({ verdict, metrics })
const counts = (expected: number, names: number, values: number, unnecessary = 0, illegal = 0) => ({
  'expected/all': expected,
  'correct_name/all': names,
  'correct_value/all': values,
  'missing/all': expected - names,
  'unexpected/all': unnecessary + illegal,
  'unnecessary/all': unnecessary,
  'illegal/all': illegal,
  'all/all': expected + unnecessary + illegal,
})
const right = { 'url/correct': 1, 'method/correct': 1, 'endpoint/correct': 1 }
const four = [
  sample('correct', { ...right, ...counts(2, 2, 2) }),
  sample('illegal', {
    'url/illegal': 1,
    'method/correct': 1,
    'endpoint/illegal': 1,
    ...counts(4, 2, 1, 1, 1),
  }),
  sample('runtime_error', counts(3, 0, 0)),
  sample('incomplete_request', counts(1, 0, 0)),
  sample('vanished'),
]

test('by hand', () => {
  const values = computeRequestMeasures(four, 'published')
  expect(values).toMatchObject({
    Samples: 4,
    'Executable samples': 2,
    Vanished: 1,
    'Executable implementations (t)': 0.5,
    'Correct implementations (t)': 0.25,
    'Correct implementations (e)': 0.5,
    'Illegal implementations (t)': 0.25,
    'Correct URLs (t)': 0.25,
    'Illegal URLs (e)': 0.5,
    'Correct methods (e)': 1,
    'Correct argument names (t)': 0.4,
    'Correct argument names (e)': 0.666667,
    'Correct argument values (t)': 0.3,
    'Correct argument values (e)': 0.5,
    'Missing arguments (t)': 0.6,
    'Missing arguments (e)': 0.333333,
    'Unexpected arguments (t)': 0.166667,
    'Unexpected arguments (e)': 0.25,
    'Illegal arguments (t)': 0.083333,
    // (1 + 2/4) of two executable ones; the two that don't run count as 0, but not in the released code.
    'Mean argument precision (e)': 0.75,
    'Mean argument precision (released)': 0.75,
    'Mean argument precision (t)': 0.375,
    'Mean argument recall (e)': 0.75,
    'Mean argument recall (t)': 0.375,
    'Mean arg. Jaccard index (e)': 0.666667,
    'Mean arg. Jaccard index (t)': 0.333333,
    'Mean arg. val. cond. acc. (e)': 0.75,
    'Mean arg. val. cond. acc. (t)': 0.375,
    'Total errors': 2,
    'Runtime errors': 1,
    'Incomplete implementations': 1,
    'Incomplete implementations (of errors)': 0.5,
    Timeouts: 0,
  })
})
test('sums over all arguments, and N', () => {
  const quiet = sample('wrong', {
    'url/correct': 1,
    'method/correct': 1,
    'endpoint/correct': 1,
    ...counts(2, 0, 0),
  })
  const values = computeRequestMeasures([...four, quiet], 'published')
  expect(values).toMatchObject({
    // Two executable ones generated arguments, of five with a result: the third counts as 0 as well.
    'Mean argument precision (t)': 0.3,
    'Mean argument precision (e)': 0.75,
    'Mean argument precision (released)': 0.75,
    'Mean arg. val. cond. acc. (t)': 0.3,
    // 4 names of 6 generated; of 12 expected, 8 by what runs; of 14 in all, 10 by what runs; 3 values.
    'Summed argument precision (t)': 0.666667,
    'Summed argument precision (e)': 0.666667,
    'Summed argument recall (t)': 0.333333,
    'Summed argument recall (e)': 0.5,
    'Summed arg. Jaccard index (t)': 0.285714,
    'Summed arg. Jaccard index (e)': 0.4,
    'Summed arg. val. accuracy of all (t)': 0.214286,
    'Summed arg. val. accuracy of all (e)': 0.3,
    'Summed arg. val. accuracy of expected (t)': 0.25,
    'Summed arg. val. accuracy of expected (e)': 0.375,
    'Summed arg. val. cond. acc. (t)': 0.75,
    'Summed arg. val. cond. acc. (e)': 0.75,
  })
})
test('of a location, N are the samples that have an argument there', () => {
  const at = (key: string, n: number) => ({ [`${key}/params`]: n, [`${key}/all`]: n })
  const one = sample('correct', {
    ...right,
    ...at('all', 1),
    ...at('expected', 1),
    ...at('correct_name', 1),
    ...at('correct_value', 1),
  })
  const failed = sample('timeout', { ...at('all', 1), ...at('expected', 1), ...at('missing', 1) })
  expect(computeRequestMeasures([one, failed, sample('correct', right)], 'sound')).toMatchObject({
    'Mean argument precision of params (t)': 0.5,
    'Mean argument precision of params (e)': 1,
    'Mean argument precision (t)': 0.333333,
    'Mean argument precision of headers (t)': 0,
  })
})
test('of a location, what did not run counts in N under the published policy where its task has that part', () => {
  const at = (key: string, n: number) => ({ [`${key}/params`]: n, [`${key}/all`]: n })
  const one = sample('correct', {
    ...right,
    ...at('all', 1),
    ...at('expected', 1),
    ...at('correct_name', 1),
    ...at('correct_value', 1),
  })
  const elsewhere = sample('runtime_error', {
    'all/data': 1,
    'all/all': 1,
    'expected/data': 1,
    'expected/all': 1,
  })
  // Its request has parameters, none of which counts.
  const empty = { ...sample('runtime_error'), parts: new Set(['headers', 'params'] as const) }
  const samples = [one, elsewhere, empty, sample('correct', right)]
  const names = [
    'argument recall',
    'arg. Jaccard index',
    'arg. val. accuracy of all',
    'arg. val. accuracy of expected',
    'argument precision',
    'arg. val. cond. acc.',
  ]
  const means = (policy: WapiiPolicy, suffix: string) =>
    names.map((name) => computeRequestMeasures(samples, policy)[`Mean ${name}${suffix}`])
  expect(means('published', ' of params (t)')).toEqual(Array(6).fill(0.5))
  expect(means('sound', ' of params (t)')).toEqual(Array(6).fill(1))
  for (const policy of ['published', 'sound'] as const) {
    expect(means(policy, ' of params (e)')).toEqual(Array(6).fill(1))
    expect(means(policy, ' (t)').slice(0, 4)).toEqual(Array(4).fill(0.5))
  }
  expect(computeRequestMeasures(samples, 'published')).toMatchObject({
    'Mean argument precision of params (released)': 1,
    'Summed argument recall of params (t)': 1,
    'Mean argument recall of headers (t)': 0,
  })
})
test('a score has the ratios of its sample, by location', async () => {
  const answer = `axios.get('https://api.library.example/v2/books', { params: { limit: 21, q: 'whales', sort: 'a' } });`
  const { policies } = await scoreOf(sampleBenchmark, sampleCases[0]!, answer)
  expect(policies!['published']!.metrics).toMatchObject({
    'precision/all': 0.666667,
    'precision/params': 0.666667,
    'recall/all': 0.666667,
    'recall/params': 1,
    'recall/headers': 0,
    'jaccard/all': 0.5,
    'value_accuracy_of_all/all': 0.25,
    'value_accuracy_of_expected/all': 0.333333,
    'value_accuracy_of_names/all': 0.5,
  })
  expect(Object.keys(policies!['published']!.metrics)).not.toContain('precision/headers')
  const failed = await scoreOf(sampleBenchmark, sampleCases[0]!, 'axios.get(x);')
  expect(
    Object.keys(failed.policies!['published']!.metrics).filter((key) =>
      /precision|recall|jaccard|accuracy/.test(key),
    ),
  ).toEqual([])
})
test('nothing gives zeros, never a division by zero', () => {
  for (const samples of [[], [sample('vanished')], [sample('timeout')]])
    for (const value of Object.values(computeRequestMeasures(samples, 'published')))
      expect(Number.isFinite(value)).toBe(true)
})

test('the report is the same whatever the order, counts by API and method, and says where policies differ', async () => {
  const samples: ScoredSample[] = []
  for (const [n, c] of sampleCases.entries())
    samples.push({
      case: c.id,
      sample: 0,
      score: await scoreOf(sampleBenchmark, c, styles[n % styles.length]!.write(c.task.config)),
    })
  const about = { digest: 'b', model: 'm', options: {} }
  const result = sampleBenchmark.aggregate(samples, sampleCases, about)
  expect([result.overall.method, Object.keys(result.explanations!)]).toEqual(['wilson', ['wilson']])
  const twice = sampleBenchmark.aggregate(
    [...samples, ...samples.map((one) => ({ ...one, sample: 1 }))],
    sampleCases,
    about,
  )
  expect([twice.overall.rate, twice.overall.method, twice.groups['api']![0]!.rate.method]).toEqual([
    result.overall.rate,
    'clustered',
    'clustered',
  ])
  fc.assert(
    fc.property(fc.shuffledSubarray(samples, { minLength: samples.length }), (shuffled) => {
      expect(JSON.stringify(sampleBenchmark.aggregate(shuffled, sampleCases, about))).toBe(
        JSON.stringify(result),
      )
    }),
    { seed: 1, numRuns: 10 },
  )
  expect(
    result.measures!.filter(({ policy, group }) => policy === 'sound' && group === 'all')[0]!.values[
      'Correct implementations (t)'
    ],
  ).toBe(1)
  expect(result.measures!.filter(({ group }) => group === 'method').map(({ name }) => name)).toContain(
    'PATCH',
  )
  expect(result.disagreements!.length).toBeGreaterThan(0)
  for (const { verdicts, why } of result.disagreements!) {
    expect(verdicts['published']).not.toBe(verdicts['sound'])
    expect(why.length).toBeGreaterThan(0)
  }
})
test('a score explains itself', async () => {
  const answer = `axios.get('https://api.library.example/v2/books', { params: { limit: 21, sort: 'a' } });`
  const { evidence } = await scoreOf(sampleBenchmark, sampleCases[0]!, answer)
  expect(evidence.differences.map(({ where, says }) => [where, says])).toEqual([
    ['headers.Authorization', 'the header Authorization is missing; expected: "Bearer <token>"'],
    ['params.limit', 'the query parameter limit is 21; expected: 20'],
    ['params.q', 'the query parameter q is missing; expected: "whales"'],
    ['params.sort', 'the query parameter sort is illegal: /books has no such query parameter'],
  ])
})

test('a body that has no names, and a call that is no JavaScript, are explained by each policy', async () => {
  const says = async (task: number, answer: string) => {
    const { policies } = await scoreOf(sampleBenchmark, sampleCases[task]!, answer)
    return Object.values(policies!).map(({ differences }) => differences.map((one) => one.says).at(-1))
  }
  const list = `axios.post('https://api.library.example/v2/books', [[1]], { headers: { Authorization: 'Bearer <token>', 'Content-Type': 'application/json' } });`
  const why = expect.stringMatching(
    /^what stands in data is illegal: it is not an object of named properties of the body$/,
  )
  const task = sampleCases.findIndex(
    ({ task }) => task.config.method === 'post' && task.config.url.endsWith('/books'),
  )
  expect((await says(task, list))[1]).toEqual(why)
  expect(
    await says(
      0,
      `axios.get('https://api.library.example/v2/books', { params: { limit: 20 } headers: {} });`,
    ),
  ).toEqual([
    expect.stringMatching(/^the extracted text is not a valid script: Unexpected token/),
    'the call is not valid JavaScript: Unexpected token',
  ])
})
