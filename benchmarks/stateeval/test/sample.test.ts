/**
 * The sample set and its answers, through real services: every verdict of the closed list, as a reader would
 * judge.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { buildProgramCandidate } from '@stateeval/program'
import { codeVerdicts } from '@stateeval/score'
import {
  type BenchmarkResource,
  type EvaluationResource,
  type Manifest,
  type Report,
} from '@stateeval/contracts'
import { startSuite, type Suite, until, observation } from '@stateeval/testkit'
import { benchmark } from './cases.ts'

interface Answer {
  case: string
  sample: number
  /** Absent where the model could not be reached. */
  answer?: string
  unavailable?: string
  expected: { verdict: string; about: string }
}
const read = (file: string) => readFileSync(join(import.meta.dirname, '../sample', file), 'utf8')
const lines = (file: string) => read(file).trim().split('\n')
const answers = lines('answers.jsonl').map((line) => JSON.parse(line) as Answer)
const cases = new Map(lines('cases.jsonl').map((line) => [benchmark.parse(line).id, benchmark.parse(line)]))
const givenAnswers = answers.flatMap(({ answer, ...rest }) =>
  answer === undefined ? [] : [{ ...rest, answer }],
)

let suite: Suite
beforeAll(async () => {
  suite = await startSuite({ only: ['execution', 'scoring', 'evaluation'] })
  await Promise.all(Object.values(suite.services).map(({ platform }) => platform.bus.ready()))
})
afterAll(() => suite?.stop())

async function ask<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(`${suite.urls['evaluation']}${path}`, {
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  const value = (await response.json()) as T
  if (!response.ok) throw new Error(JSON.stringify(value))
  return value
}

test('every verdict has an answer, and every case is answered', () => {
  expect(new Set(answers.map(({ expected }) => expected.verdict))).toEqual(new Set(codeVerdicts))
  expect(new Set(answers.map((answer) => answer.case))).toEqual(new Set(cases.keys()))
})

test('the folder is taken as it is, and the answers get their verdicts', async () => {
  const folder = {
    manifest: JSON.parse(read('manifest.json')) as Manifest,
    cases: read('cases.jsonl'),
    readme: read('README.md'),
  }
  const { id } = await ask<BenchmarkResource>('/v1/benchmarks/import', folder)
  const begun = await ask<EvaluationResource>('/v1/evaluations', {
    benchmark: id,
    samples: Math.max(...answers.map(({ sample }) => sample)) + 1,
    answers: givenAnswers.map((answer) => ({
      case: answer.case,
      sample: answer.sample,
      answer: answer.answer,
    })),
  })
  const ended = (await until(
    async () => {
      const now = await ask<EvaluationResource>(`/v1/evaluations/${begun.id}`)
      return now.status !== 'queued' && now.status !== 'running' && now
    },
    { everyMs: 200 },
  )) as EvaluationResource
  expect([ended.status, ended.error]).toEqual(['succeeded', undefined])
  const { result } = await ask<Report>(`/v1/evaluations/${begun.id}/report`)
  const verdictOf = (one: Answer) =>
    result.samples.find((sample) => sample.case === one.case && sample.sample === one.sample)?.score?.verdict
  expect(givenAnswers.map((one) => [one.expected.about, verdictOf(one)])).toEqual(
    givenAnswers.map(({ expected }) => [expected.about, expected.verdict]),
  )
})

test('what could not be asked is scored as such', () => {
  for (const { case: id, unavailable, expected } of answers) {
    if (unavailable === undefined) continue
    const testCase = cases.get(id)
    const away = observation({ ending: { status: 'infrastructure', reason: unavailable }, world: null })
    const candidate = testCase && buildProgramCandidate({ code: '', observations: [away] })
    expect(candidate && benchmark.score({ case: testCase, candidate }).verdict).toBe(expected.verdict)
  }
})
