/**
 * Mutations of requests get exactly the verdicts and counters that the published evaluator, and a careful
 * reader, give them.
 */
import { describe, expect, test } from '@jest/globals'
import { type Candidate, toJson } from '@stateeval/contracts'
import { type Benchmark, buildProgramCandidate } from '@stateeval/program'
import type { CapturedCall } from '../capture/captured.ts'
import type { WapiiCase } from '../case.ts'
import { importTasks } from '../dataset/from-dataset.ts'
import { published, publishedFiles, skipReason } from './data.ts'
import { benchmarkOf } from './drive.ts'
import { knowPathValues, mutationsOf } from './mutations.ts'
import { sampleBenchmark, sampleCases } from './sample.ts'
import { summaries } from './summary.ts'

/** A candidate whose one run asked for this. */
const candidateAsking = (requests: readonly CapturedCall[]): Candidate => ({
  said: {
    kind: 'program',
    attempts: [
      { message: 0, readings: ['published', 'sound'].map((policy) => ({ policy, code: 'x', run: 0 })) },
    ],
  },
  transcripts: [{ role: 'model', messages: [{ role: 'assistant', content: '' }] }],
  runs: [
    {
      runtime: 'none',
      observations: [
        {
          ending: { status: 'no_result', reason: '' },
          world: {
            state: { requests: toJson(requests) },
            ids: { initial: [], created: [] },
            gone: [],
          },
          log: [],
          output: '',
          faults: [],
          wallMs: 1,
          sandbox: 'none',
        },
      ],
    },
  ],
  consultations: [],
})

function rowsOf(benchmark: Benchmark<WapiiCase>, cases: readonly WapiiCase[]) {
  return cases.flatMap((c) => {
    const { policies } = benchmark.score({ case: c, candidate: buildProgramCandidate({ code: null }) })
    knowPathValues(c.task.config, policies!['published']!.metrics['expected/path_params'] ?? 0)
    return mutationsOf(c.task.config).map((mutation) => [`${c.id}: ${mutation.name}`, c, mutation] as const)
  })
}

/** Every task with STATEEVAL_LONG=1, else a part of them. */
const step = process.env['STATEEVAL_LONG'] === '1' ? 1 : 10

const rows = rowsOf(sampleBenchmark, sampleCases)
test('there are enough of them', () => expect(rows.length).toBeGreaterThan(250))
test.each(rows)('%s', (_, c, { captured, published: expected, sound }) => {
  expect(summaries(sampleBenchmark.score({ case: c, candidate: candidateAsking([captured]) }))).toEqual({
    published: expected,
    sound,
  })
})

describe('of the published tasks', () => {
  if (!published) process.stderr.write(`skipped: ${skipReason}\n`)
  ;(published ? test : test.skip)('each of them', () => {
    const set = importTasks(publishedFiles())
    const benchmark = benchmarkOf(set.artifacts)
    const wrong: unknown[] = []
    let count = 0
    for (const [name, c, mutation] of rowsOf(
      benchmark,
      set.lines.filter((_, n) => n % step === 0).map((line) => benchmark.parse(line)),
    )) {
      count++
      const actual = summaries(benchmark.score({ case: c, candidate: candidateAsking([mutation.captured]) }))
      if (actual['published'] !== mutation.published || actual['sound'] !== mutation.sound)
        wrong.push({ ...mutation, name, found: actual })
    }
    expect(wrong.slice(0, 5)).toEqual([])
    expect(count).toBeGreaterThan(8_000 / step)
  })
})
