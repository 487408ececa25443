/** No answer chooses whether it counts: what cannot be scored is scored as a failure, in every benchmark. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { benchmarksFor } from '@stateeval/benchmarks'
import {
  type BenchmarkCase,
  type Candidate,
  Score,
  findSchemaFault,
  type ScoreRequest,
} from '@stateeval/contracts'
import type { Benchmark } from '@stateeval/program'
import { findScenario } from '@stateeval/scenarios'
import { partial } from '@stateeval/testkit/partial'
import { sampleFiles as dialogues } from '../../../benchmarks/complexfuncbench/test/here.ts'
import { sampleFiles as lists } from '../../../benchmarks/nestful/test/sample.ts'
import { caseOf, lineOf } from '../../../packages/testkit/src/dialogue/case.ts'
import '../../../packages/testkit/src/dialogue/register.ts'
import type { ScoringContext } from '../src/context.ts'
import { scoreCandidate } from '../src/score-candidate.ts'
import { noAnswer } from '../src/stand-ins.ts'

const folder = join(import.meta.dirname, '../../../benchmarks')
const read = (path: string) => readFileSync(join(folder, path), 'utf8')
const artifacts = new Map<string, Uint8Array>()
const byKind = benchmarksFor({
  scenario: (id) => findScenario(id)!,
  artifact: (hash) =>
    artifacts.get(hash) ?? new Uint8Array(readFileSync(join(folder, `wapiibench/sample/artifacts/${hash}`))),
})
const kindOf = (kind: string) => byKind.get(kind)!
const imported = (kind: string, files: Record<string, string>) => {
  const set = kindOf(kind).building!.fromDataset!(files)
  for (const [hash, bytes] of Object.entries(set.artifacts)) artifacts.set(hash, bytes)
  return set.lines
}
const linesOf: Record<string, () => readonly string[]> = {
  stateeval: () => read('stateeval/sample/cases.jsonl').trim().split('\n'),
  wapiibench: () => read('wapiibench/sample/cases.jsonl').trim().split('\n'),
  nestful: () => imported('nestful', lists()),
  complexfuncbench: () => imported('complexfuncbench', dialogues),
  'stateeval-published': () =>
    imported('stateeval-published', { 'voice.jsonl': read('stateeval-published/sample/voice.jsonl') }),
  dialogue: () => [lineOf(caseOf(0))],
}

test('every kind is looked at', () => {
  expect([...byKind.keys()].filter((kind) => kind !== 'llm-only').sort()).toEqual(Object.keys(linesOf).sort())
})

describe.each(Object.keys(linesOf))('%s', (kind) => {
  const benchmark = kindOf(kind)
  const cases = linesOf[kind]!().map((line) => benchmark.parse(line))
  const fails = (score: Score) => {
    expect(findSchemaFault(Score, score)).toBeNull()
    expect(score.passed).toBe(false)
    expect(benchmark.verdicts).toContain(score.verdict)
    expect(score.verdict).not.toBe('infrastructure_error')
  }

  test('no answer is a failure, in the report as well', () => {
    const samples = cases.map((c, n) => {
      const score = benchmark.score({ case: c, candidate: noAnswer })
      fails(score)
      return { case: c.id, sample: 0, score, n }
    })
    const about = { digest: 'd', model: 'm', options: {} }
    const { overall, notScored } = benchmark.aggregate(
      samples.map(({ n: _, ...sample }) => sample),
      cases,
      about,
    )
    expect([overall, notScored]).toMatchObject([{ passed: 0, scored: cases.length }, 0])
  })

  const scoredBy = (failing: (candidate: Candidate) => boolean) => {
    const broken: Benchmark = {
      ...benchmark,
      score(request) {
        if (failing(request.candidate)) throw new TypeError('it chokes')
        return benchmark.score(request)
      },
    }
    const artifactCache = { use: async (_: unknown, work: (files: unknown) => unknown) => work(new Map()) }
    return partial<ScoringContext>({
      benchmark: () => broken,
      scenario: (id: string) => findScenario(id)!,
      artifactCache: artifactCache as ScoringContext['artifactCache'],
    })
  }
  const item = (candidate: Candidate): ScoreRequest => ({ kind, case: cases[0] as BenchmarkCase, candidate })
  const words: Candidate = {
    ...noAnswer,
    transcripts: [{ role: 'model', messages: [{ role: 'assistant', content: 'hostile', finish: 'stop' }] }],
  }

  test('an answer over which scoring fails is a failure that says so', async () => {
    const score = await scoreCandidate(
      item(words),
      scoredBy(({ transcripts }) => transcripts.length > 0),
    )
    fails(score)
    expect(score.evidence.differences[0]).toEqual({
      where: 'answer',
      says: 'the answer cannot be scored: it chokes',
    })
  })

  test('a thread that fails over whatever it scores is nobody’s failure', async () => {
    const long: Candidate = {
      ...noAnswer,
      transcripts: [{ role: 'model', messages: [{ role: 'user', content: 'x'.repeat(100_000) }] }],
    }
    const context = scoredBy(() => false)
    context.threads = partial<ScoringContext['threads']>({
      run: () => Promise.reject(new Error('no thread starts')),
    })
    await expect(scoreCandidate(item(long), context)).rejects.toThrow('no thread starts')
  })

  test('a case that cannot be scored at all is nobody’s failure', async () => {
    await expect(
      scoreCandidate(
        item(words),
        scoredBy(() => true),
      ),
    ).rejects.toThrow('it chokes')
  })
})
