/**
 * Random answers, judged by the policy `published` and by an independent program in Python, where python3 is
 * installed.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import type { ScoredSample } from '@stateeval/contracts'
import { canonicalJson } from '@stateeval/contracts'
import { type NestfulCase, parse } from '../case.ts'
import { benchmarkOf, scoreOf } from './drive.ts'
import { type OracleSample, oracleSample } from './oracle-answers.ts'

/** 10,000 with STATEEVAL_LONG=1. */
const count = process.env['STATEEVAL_LONG'] === '1' ? 10_000 : 300
const benchmark = benchmarkOf({})

const caseOf = ({ gold, tools, answer }: OracleSample, at: number): NestfulCase =>
  parse(
    canonicalJson({
      id: `sample-${at}`,
      kind: 'nestful',
      group: 'math',
      instruction: 'Compute.',
      task: {
        form: 'v2',
        part: 'math',
        calls: gold.map((call) => ({ ...call, arguments: JSON.stringify(call['arguments']) })) as never,
        tools: JSON.stringify(
          Object.entries(tools).map(([name, outputs]) => ({
            name,
            parameters: {},
            output_parameters: Object.fromEntries(outputs.map((output) => [output, {}])),
          })),
        ),
        gold: answer,
        faults: [],
      },
    }),
  )

interface Oracle {
  samples: Record<string, number>[]
  'F1 function': number
  'F1 parameter': number
}
const hasPython =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info[:2] < (3, 11))']).status === 0
;(hasPython ? test : test.skip)(
  'the policy `published` says of random answers what the oracle says',
  async () => {
    const samples = Array.from({ length: count }, (_, at) => oracleSample(`answer ${at}`))
    const { stdout, stderr } = spawnSync('python3', [join(import.meta.dirname, 'oracle.py')], {
      input: JSON.stringify(samples),
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    })
    expect(stderr).toBe('')
    const oracle = JSON.parse(stdout) as Oracle
    const cases = samples.map(caseOf)
    const scored: ScoredSample[] = []
    const wrong: unknown[] = []
    let notRun = 0
    for (const [at, c] of cases.entries()) {
      const score = await scoreOf(benchmark, c, samples[at]!.text, {
        layout: samples[at]!.family,
        setup: 'zero-shot',
      })
      scored.push({ case: c.id, sample: 0, score })
      const { metrics } = score.policies!['published']!
      const { partial: share, win, ...expected } = oracle.samples[at]!
      // What is not computed here, such as an integer of a million digits, says nothing.
      if (metrics['not_run'] === 1) notRun++
      const actual = Object.fromEntries(Object.keys(expected).map((name) => [name, metrics[name]]))
      if (metrics['not_run'] !== 1) [actual['win'], expected['win']] = [metrics['win'], win!]
      const differs = Math.abs(metrics['partial']! - share!) > 1e-12
      if (differs || JSON.stringify(actual) !== JSON.stringify(expected))
        wrong.push({ ...samples[at], partial: [metrics['partial'], share], found: actual, expected })
    }
    expect(wrong.slice(0, 5)).toEqual([])
    const { measures } = benchmark.aggregate(scored, cases, { digest: '', model: 'm', options: {} })
    const { values } = measures!.find(({ policy, group }) => policy === 'published' && group === 'all')!
    for (const name of ['F1 function', 'F1 parameter'] as const)
      expect(values[name]).toBeCloseTo(oracle[name], 4)
    // The answers are of all sorts.
    const sum = (name: string) => oracle.samples.reduce((total, one) => total + one[name]!, 0)
    for (const name of ['full', 'parsing_errors', 'win', 'unreadable']) expect(sum(name)).toBeGreaterThan(0)
    // Random references that cannot be run here leave their case out, whatever is answered.
    expect(notRun).toBeLessThan(count / 5)
  },
)
