/**
 * The metrics of the paper's Table V over samples of one policy, under the names of its tables (README,
 * Measures).
 */
import type { RateBracket } from '@stateeval/contracts'
import type { MeasureDirections } from '@stateeval/program'
import { computeRateBracket, roundNumber } from '@stateeval/score'
import { isNonexecutable, type ArgumentLocation, places } from '../judge/count.ts'
import type { WapiiPolicy } from '../readings.ts'

export interface JudgedRequest {
  verdict: string
  metrics: Readonly<Record<string, number>>
  /** The parts that the task's own request has, even if no argument of them is counted. */
  parts?: ReadonlySet<ArgumentLocation>
}
type RateValues = Record<string, number | null>

/** 0 where there is nothing to divide by, as the published evaluator has it. */
const divideOrZero = (a: number, b: number) => (b === 0 ? 0 : roundNumber(a / b))
const sum = (samples: readonly JudgedRequest[], of: (sample: JudgedRequest) => number) =>
  samples.reduce((total, sample) => total + of(sample), 0)

/**
 * The brackets of the rates of all samples. `unscored` have no score; what vanished has none under the
 * published policy either.
 */
export function computeRateBrackets(
  all: readonly JudgedRequest[],
  unscored: number,
): Record<string, RateBracket> | undefined {
  const samples = all.filter(({ verdict }) => verdict !== 'vanished')
  const left = unscored + all.length - samples.length
  const rates = {
    'Executable implementations (t)': samples.filter(({ verdict }) => !isNonexecutable(verdict)).length,
    'Correct implementations (t)': samples.filter(({ verdict }) => verdict === 'correct').length,
  }
  if (left === 0) return undefined
  return Object.fromEntries(
    Object.entries(rates).map(([name, count]) => [name, computeRateBracket(count, samples.length, left)!]),
  )
}

/** Which way each is better, by the beginning of its name. */
export const measures: MeasureDirections = {
  'Executable implementations': 'higher',
  Correct: 'higher',
  'Mean arg': 'higher',
  'Summed arg': 'higher',
  Wrong: 'lower',
  Illegal: 'lower',
  Missing: 'lower',
  Unexpected: 'lower',
  Unnecessary: 'lower',
  Incomplete: 'lower',
  'Runtime errors': 'lower',
  'No requests': 'lower',
  Timeouts: 'lower',
  Unsatisfiable: 'lower',
  'Total errors': 'lower',
  Vanished: 'lower',
  Samples: 'neither',
  'Executable samples': 'neither',
}

/** N counts what has a result: under the published policy, what vanished has none. */
export function computeRequestMeasures(all: readonly JudgedRequest[], policy: WapiiPolicy): RateValues {
  const samples = all.filter(({ verdict }) => verdict !== 'vanished')
  const executable = samples.filter(({ verdict }) => !isNonexecutable(verdict))
  const [n, x] = [samples.length, executable.length]
  const both = (name: string, count: number): RateValues => ({
    [`${name} (t)`]: divideOrZero(count, n),
    [`${name} (e)`]: divideOrZero(count, x),
  })
  const verdicts = (verdict: string) => samples.filter((sample) => sample.verdict === verdict).length
  const flagged = (key: string) => sum(executable, ({ metrics }) => metrics[key] ?? 0)
  const wrong = { Correct: 'correct', Wrong: 'wrong', Illegal: 'illegal' } as const
  const values: RateValues = { 'Executable implementations (t)': divideOrZero(x, n) }
  for (const [word, key] of Object.entries(wrong))
    Object.assign(values, both(`${word} implementations`, verdicts(key)))
  for (const [things, place] of [
    ['URLs', 'url'],
    ['methods', 'method'],
    ['endpoints', 'endpoint'],
  ] as const)
    for (const [word, key] of Object.entries(wrong))
      Object.assign(values, both(`${word} ${things}`, flagged(`${place}/${key}`)))
  for (const place of places) Object.assign(values, averageArguments(place, samples, executable, policy))
  return {
    ...values,
    ...countErrorRates(samples, n - x),
    Samples: n,
    'Executable samples': x,
    Vanished: all.length - n,
  }
}

function averageArguments(
  place: ArgumentLocation,
  samples: readonly JudgedRequest[],
  executable: readonly JudgedRequest[],
  policy: WapiiPolicy,
): RateValues {
  const of =
    (counter: string) =>
    ({ metrics }: JudgedRequest) =>
      metrics[`${counter}/${place}`] ?? 0
  const [all, expected, unexpected, names, correct] = [
    'all',
    'expected',
    'unexpected',
    'correct_name',
    'correct_value',
  ].map(of) as [SampleMeasure, SampleMeasure, SampleMeasure, SampleMeasure, SampleMeasure]
  const suffix = place === 'all' ? '' : ` of ${place}`
  const values: RateValues = {}
  const put = (name: string, t: number, e: number) =>
    Object.assign(values, { [`${name}${suffix} (t)`]: t, [`${name}${suffix} (e)`]: e })
  const total = (counter: SampleMeasure, below: SampleMeasure) =>
    [
      divideOrZero(sum(samples, counter), sum(samples, below)),
      divideOrZero(sum(executable, counter), sum(executable, below)),
    ] as const
  put('Correct argument names', ...total(names, expected))
  put('Correct argument values', ...total(correct, expected))
  put('Missing arguments', ...total(of('missing'), expected))
  put('Unexpected arguments', ...total(unexpected, all))
  put('Unnecessary arguments', ...total(of('unnecessary'), all))
  put('Illegal arguments', ...total(of('illegal'), all))
  const generated: SampleMeasure = (sample) => names(sample) + unexpected(sample)
  const ran = new Set(executable)
  // The published evaluator counts what didn't run at each location that its task's request has.
  const countedIn = (below: SampleMeasure) =>
    samples.filter(
      (sample) =>
        below(sample) > 0 || (policy === 'published' && !ran.has(sample) && sample.parts?.has(place)),
    )
  // N of a location: the samples that have an argument there, expected or generated. Of all locations: all
  // samples.
  const n = place === 'all' ? samples.length : countedIn(all).length
  /**
   * The mean of a ratio of each sample. `overN`: what has no such ratio, as what doesn't run, counts as 0 in
   * (t).
   */
  const mean = (name: string, over: SampleMeasure, below: SampleMeasure, overN = false) => {
    const bearers = countedIn(below)
    const e = bearers.filter((sample) => ran.has(sample))
    const added = sum(e, (sample) => over(sample) / below(sample))
    put(name, divideOrZero(added, overN ? n : bearers.length), divideOrZero(added, e.length))
    if (overN) values[`${name}${suffix} (released)`] = divideOrZero(added, e.length)
    put(name.replace('Mean', 'Summed'), ...total(over, below))
  }
  mean('Mean argument precision', names, generated, true)
  mean('Mean argument recall', names, expected)
  mean('Mean arg. Jaccard index', names, all)
  mean('Mean arg. val. accuracy of all', correct, all)
  mean('Mean arg. val. accuracy of expected', correct, expected)
  mean('Mean arg. val. cond. acc.', correct, names, true)
  return values
}
type SampleMeasure = (sample: JudgedRequest) => number

const errorNames = {
  'Incomplete implementations': 'incomplete_request',
  'Runtime errors': 'runtime_error',
  'No requests': 'no_request',
  Timeouts: 'timeout',
  'Unsatisfiable constraints': 'unsatisfiable',
}
function countErrorRates(samples: readonly JudgedRequest[], total: number): RateValues {
  const values: RateValues = { 'Total errors': total }
  for (const [name, verdict] of Object.entries(errorNames)) {
    const count = samples.filter((sample) => sample.verdict === verdict).length
    values[name] = count
    values[`${name} (of errors)`] = divideOrZero(count, total)
  }
  return values
}
