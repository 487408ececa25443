/**
 * Runs that version 5 of the kinds stored, scored by today's rules: verdicts that have changed since come
 * without another run. A line of stored-runs/KIND.jsonl is a case, its candidate and its verdicts of then.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { benchmarksFor } from '@stateeval/benchmarks'
import type { BenchmarkCase, Candidate } from '@stateeval/contracts'
import { scenarios } from '@stateeval/scenarios'

type VerdictRecord = Record<string, string>
interface StoredRun {
  name: string
  case: BenchmarkCase
  candidate: Candidate
  scored: VerdictRecord
}

/** What has changed since, by the run's name; other verdicts stay. */
const changes: Record<string, Record<string, VerdictRecord>> = {
  wapiibench: {
    // Brackets were taken for the parts of a list or an object.
    'a name with brackets': { sound: 'correct' },
    'another number': { sound: 'wrong' },
    // A body has to be of a media type that the operation takes.
    'JSON for a form': { sound: 'illegal' },
  },
  nestful: {
    // A reference has to name an output of its API, and nothing else may stand beside it.
    'no output name': { sound: 'partial' },
    'an empty output name': { sound: 'partial' },
    'blanks beside a reference': { sound: 'partial' },
  },
  complexfuncbench: {
    // Only a message that is null is unknown to the released evaluator.
    'an empty final text, published': { published: 'success' },
    'nothing at first, published': { published: 'stop_early' },
  },
}

test.each(Object.entries(changes))('%s: stored runs get the verdicts of today', (kind, changed) => {
  const file = join(import.meta.dirname, `stored-runs/${kind}.jsonl`)
  const [first, ...lines] = readFileSync(file, 'utf8').trim().split('\n') as [string, ...string[]]
  const { artifacts, version } = JSON.parse(first) as {
    version: string
    artifacts: Record<string, string>
  }
  const benchmark = benchmarksFor({
    scenario: () => scenarios[0]!,
    artifact: (hash) => Buffer.from(artifacts[hash]!),
  }).get(kind)!
  expect(Number(version)).toBeLessThan(Number(benchmark.version))
  const runs = lines.map((line) => JSON.parse(line) as StoredRun)
  const names = runs.map(({ name }) => name)
  expect(Object.keys(changed).filter((name) => !names.includes(name))).toEqual([])
  expect(runs.length).toBeGreaterThan(Object.keys(changed).length)
  for (const run of runs) {
    const stored = benchmark.parse(JSON.stringify(run.case))
    const { policies = {} } = benchmark.score({ case: stored, candidate: run.candidate })
    const verdicts = Object.entries(policies).map(([policy, { verdict }]) => [policy, verdict])
    expect([run.name, Object.fromEntries(verdicts)]).toEqual([
      run.name,
      { ...run.scored, ...changed[run.name] },
    ])
  }
})
