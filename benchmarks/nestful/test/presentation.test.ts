/**
 * What commands show: the measures and errors that the aggregate has, under the same names; Table 2 with
 * published rows.
 */
import { expect, test } from '@jest/globals'
import type { Report, ScoredSample } from '@stateeval/contracts'
import { computeJackknife } from '../aggregate/intervals.ts'
import presentation from '../presentation/index.ts'
import { findLayout } from '../presentation/layouts.ts'
import { errorTypes, measureNames } from '../presentation/names.ts'
import { defaults, scoreOf } from './drive.ts'
import { sampleBenchmark, sampleCases } from './sample.ts'
import { caseOf } from './shapes.ts'

const about = { digest: 'd', model: 'somebody', options: { setup: 'one-shot' } }
/** Every second case is answered by the reference, the others in prose. */
const samples: ScoredSample[] = await Promise.all(
  sampleCases.map(async (c, at) => ({
    case: c.id,
    sample: 0,
    score: await scoreOf(sampleBenchmark, c, at % 2 ? 'No.' : sampleBenchmark.player(c, defaults)!),
  })),
)
const result = sampleBenchmark.aggregate(samples, sampleCases, about)

test('names are those of the aggregate and of the judge', () => {
  const named = new Set(result.measures!.flatMap(({ values }) => Object.keys(values)))
  expect([...named].sort()).toEqual([...measureNames].sort())
  for (const { name: _, samples: _samples, ...counts } of result.errors!['byDepth']!)
    expect(Object.keys(counts)).toEqual(errorTypes)
})

test('a report is the same whatever order samples came in', () => {
  expect(sampleBenchmark.aggregate([...samples].reverse(), sampleCases, about)).toEqual(result)
})

test('the aggregate counts what the samples have', () => {
  expect(result.overall).toMatchObject({ passed: 4, scored: 8 })
  expect(result.verdicts).toMatchObject({ correct: 4, no_calls: 4 })
  expect(result.rootCauses).toMatchObject({ prose_instead_of_calls: 4 })
  const values = (policy: string, group: string, name: string) =>
    result.measures!.find((one) => one.policy === policy && one.group === group && one.name === name)!.values
  expect(values('published', 'form', 'executable')).toMatchObject({
    'Partial sequence match': 0.5,
    'Full sequence match': 0.5,
    'API execution pass rate, mock (%)': 50,
    'API execution pass rate, live (%)': null,
    'Win rate': null,
  })
  // The published policy calls a failed run of a gold 0 a win; prose is an empty prediction, which is lost
  // all the same.
  expect(values('sound', 'form', 'version 2')).toMatchObject({
    'Win rate': 0.5,
    Samples: 4,
    Ceiling: 1,
    Runnable: 4,
    'Not run': 0,
  })
  expect(result.errors!['byDepth']!.map(({ name }) => name)).toEqual(['depth 1', 'depth 2', 'depth 3'])
})

test('sections, columns and details are made of them', () => {
  const sections = presentation.sections!(result)
  expect(sections[0]).toMatchObject({ table: { head: ['NESTFUL', 'published', 'sound'] } })
  expect(JSON.stringify(presentation.failureSections!(result))).toContain('prose instead of calls')
  const columns = presentation.columns!(result)
  expect(columns.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['published_partial', 'sound_win', 'errors']),
  )
  const prose = result.samples.find(({ score }) => score?.verdict === 'no_calls')!
  expect(columns.find(({ name }) => name === 'errors')!.of(prose)).toBe('prose_instead_of_calls')
  expect(presentation.details!(prose)).toEqual(['answer: the answer has no list of calls'])
})

test('Table 2 has a row for each evaluation, then the published rows; errors follow by depth', () => {
  const published = {
    tables: {
      '2 one-shot': {
        models: ['Llama-3-70b', 'Mixtral-8x7b'],
        rows: { 'executable: Partial sequence match': [0.21, 0.13] },
      },
    },
  }
  const paper = presentation.paper!
  expect(paper.faultOf(result)).toBeNull()
  const [two, version2, errors] = paper.tables([result], 'published', published, ['llama'])
  expect(two!.title).toBe('Table 2, published (* as published)')
  expect(two!.head.slice(0, 3)).toEqual(['Setting', 'Model', 'executable: Partial sequence match'])
  expect(two!.rows.map((row) => row.slice(0, 3))).toEqual([
    ['One shot', 'somebody', '0.50'],
    ['One shot', 'Llama-3-70b *', '0.21'],
  ])
  expect(version2!.rows[0]).toEqual(expect.arrayContaining(['somebody', '0.50']))
  expect(errors!.title).toContain('Error types by nesting depth')
  expect(errors!.rows).toHaveLength(13)
})

test('the published Table 2 stands beside evaluations, those of the same setting', () => {
  const [two] = presentation.paper!.tables([result], 'published', { tables: {} })
  expect(two!.rows.map(([setting, model]) => `${setting}: ${model}`)).toEqual([
    'One shot: somebody',
    ...[
      'xLAM-1b-fc-r',
      'Mistral-7B-Instruct-v0.3',
      'Hermes-2-Pro-Mistral-7B',
      'Granite-20B-FunctionCalling',
      'Mixtral-8x7b-Instruct-v01',
      'Llama-3-70b-Instruct',
    ].map((model) => `One shot: ${model} *`),
  ])
  expect(two!.rows.at(-1)!.slice(2)).toEqual(expect.arrayContaining(['0.21', '0.04']))
})

test('one and three examples are compared sample by sample', () => {
  const three = { ...result, options: { ...result.options, setup: 'three-shot' } }
  const better = {
    ...three,
    samples: samples.map((sample, at) => (at === 0 ? samples[0]! : { ...samples[1]!, case: sample.case })),
  }
  const tables = presentation.paper!.tables([result, better], 'sound', { tables: {} })
  const paired = tables.find(({ title }) => title.includes('McNemar'))!
  const full = ({ score }: ScoredSample) => score!.policies!['sound']!.metrics['full'] === 1
  const onlyOne = samples.filter((one, at) => full(one) && !full(better.samples[at]!)).length
  const onlyThree = samples.filter((one, at) => !full(one) && full(better.samples[at]!)).length
  expect(paired.rows).toEqual([
    ['somebody', '8', String(onlyOne), String(onlyThree), expect.stringMatching(/^[01]\.\d{4}$/)],
  ])
  expect(Math.max(onlyOne, onlyThree)).toBeGreaterThan(0)
  // Three against none: two in eight.
  const p = (text: string) => Number(text)
  if (onlyOne + onlyThree === 3 && Math.min(onlyOne, onlyThree) === 0)
    expect(p(paired.rows[0]![4]!)).toBe(0.25)
})

test('a model has its layout by its name, or by the request', () => {
  expect(
    [
      'Hermes-2-Pro-Mistral-7B',
      'Mixtral-8x7b',
      'Granite-20B-FunctionCalling',
      'granite-3.1-8b',
      'gpt-4o',
      'qwen',
    ].map(findLayout),
  ).toEqual(['hermes', 'mistral', 'granite-20b', 'granite', 'gpt', undefined])
  const { reproduction } = presentation
  const request = {
    exhibits: ['2-one-shot'],
    models: ['llama-3-70b-instruct', 'mixtral', 'qwen', 'reference'],
    baselines: [],
    scenarios: [],
    programs: 1,
    keep: 1,
    samples: 1,
    repeats: 1,
    seed: 1,
    layouts: { qwen: 'hermes' },
  }
  const runs = reproduction!
    .runs(request, new Map())
    .flatMap((run) => (run.what === 'evaluation' ? run.request : []))
  expect(runs.map(({ model, layout }) => [model, layout])).toEqual([
    ['llama-3-70b-instruct', 'llama-3-70b'],
    ['mixtral', 'mistral'],
    ['qwen', 'hermes'],
    ['reference', undefined],
  ])
})

test('one shot against three is an exhibit of the evaluations of both', () => {
  const { reproduction } = presentation
  const request = {
    ...{ exhibits: ['shots'], models: ['m'], baselines: [], scenarios: [] },
    ...{ programs: 1, keep: 1, samples: 1, repeats: 1, seed: 1 },
  }
  const runs = reproduction!.runs(request, new Map())
  expect(runs.map(({ name }) => name)).toEqual(['published data', '2-one-shot of m', '2-three-shot of m'])
  const reportOf = (setup: string, fulls: readonly number[]) => ({
    what: 'evaluation' as const,
    report: {
      result: {
        ...{ model: 'm', options: { setup } },
        samples: fulls.map((full, n) => ({
          ...{ case: `c-${n}`, sample: 0 },
          score: { policies: { published: { metrics: { full } } } },
        })),
      },
    } as unknown as Report,
  })
  const results = new Map([
    ['2-one-shot of m', reportOf('one-shot', [1, 0, 0, 0, 0, 0, 1])],
    ['2-three-shot of m', reportOf('three-shot', [0, 1, 1, 1, 1, 1, 1])],
  ])
  const [exhibit] = reproduction!.show(request, results)
  // Six pairs differ, one of them for one shot: 2 * (1 + 6) / 64.
  expect(exhibit!.tables.map(({ rows }) => rows)).toEqual([[['m', '7', '1', '5', '0.2188']]])
})

test('depths are in the order of their numbers', () => {
  const chain = (length: number) =>
    caseOf(
      Array.from({ length }, (_, at) => ({
        name: 'Alpha',
        label: `var${at + 1}`,
        arguments: at === 0 ? {} : { from: `$var${at}.out$` },
      })),
    )
  const cases = [10, 2, 1, 11].map((length) => ({ ...chain(length), id: `chain-${length}` }))
  const scored = cases.map(({ id }): ScoredSample => ({ case: id, sample: 0, score: samples[0]!.score }))
  const { measures, errors } = sampleBenchmark.aggregate(scored, cases, about)
  const depths = measures!.filter(({ policy, group }) => policy === 'sound' && group === 'depth')
  expect(depths.map(({ name }) => name)).toEqual(['1', '2', '10', '11'])
  expect(errors!['byDepth']!.map(({ name }) => name)).toEqual(['depth 1', 'depth 2', 'depth 10', 'depth 11'])
})

test('measures have intervals over cases, by leaving each of them out', () => {
  for (const { policy, group, name, values, intervals = {} } of result.measures!) {
    for (const [measure, [low, high]] of Object.entries(intervals)) {
      expect([policy, group, name, measure, low <= values[measure]!, values[measure]! <= high]).toEqual([
        policy,
        group,
        name,
        measure,
        true,
        true,
      ])
    }
  }
  const all = (policy: string, of = result) =>
    of.measures!.find((one) => one.policy === policy && one.group === 'all')!
  // Four of eight: Wilson's interval.
  expect(all('sound').intervals!['Full sequence match']).toEqual([0.215216, 0.784784])
  for (const policy of ['published', 'sound'])
    for (const measure of ['Partial sequence match', 'F1 function', 'F1 parameter']) {
      const without = sampleCases.map((c) => {
        const others = sampleCases.filter(({ id }) => id !== c.id)
        const rest = sampleBenchmark.aggregate(
          samples.filter((one) => one.case !== c.id),
          others,
          about,
        )
        return all(policy, rest).values[measure]!
      })
      const value = all(policy).values[measure]!
      const isRate = measure === 'Partial sequence match'
      const interval = computeJackknife(value, without, { isRate })!
      for (const [at, end] of all(policy).intervals![measure]!.entries())
        expect(end).toBeCloseTo(interval[at]!, 4)
    }
})
