/**
 * The value of one program: whether the generator could have made one of its form, and which pairs of APIs
 * it calls one after the other. Programs are read, not run: the paper found that most would need mending
 * first (section IV-B).
 */
import type { Candidate, Score } from '@stateeval/contracts'
import { readProgram } from '@stateeval/answers'
import { listAttempts, type BenchmarkHost } from '@stateeval/program'
import { analyseProgram, type ProgramAnalysis, breaks } from './analysis/analyse.ts'
import type { DocumentationCase } from './case.ts'

/** Why a program can't be counted, besides what it breaks. */
const unreadable = {
  no_code: 'there is no code in the answer',
  unreadable: 'the code is not JavaScript, or is too long, deep or entangled to be read',
} as const
export const verdicts = ['passed', ...Object.keys(unreadable), ...Object.keys(breaks)]

/** Metrics of pairs: `pair addSession > listSessions` is 1. */
export const pairPrefix = 'pair '

export const makeScore =
  (host: BenchmarkHost) =>
  ({ case: { task }, candidate }: { case: DocumentationCase; candidate: Candidate }): Score => {
    const reading = readProgram(listAttempts(candidate).at(-1)?.answer ?? '', 'javascript')
    if ('none' in reading) return createFailedScore('no_code', reading.none)
    const analysis = analyseProgram(reading.code, host.scenario(task.scenario), task.calls)
    if (analysis === null) return createFailedScore('unreadable', unreadable.unreadable)
    const [first] = analysis.breaks
    if (first === undefined)
      return {
        passed: true,
        verdict: 'passed',
        metrics: selectMetrics(analysis, 1),
        evidence: { differences: [] },
      }
    return { ...createFailedScore(first, analysis.breaks.map((one) => `the program ${breaks[one]}`).join('; ')), metrics: selectMetrics(analysis, 0) } // oxfmt-ignore
  }

const createFailedScore = (verdict: string, says: string): Score => ({
  passed: false,
  verdict,
  metrics: { pass: 0, read: 0 },
  evidence: { differences: [{ where: 'answer', says }] },
})

const selectMetrics = ({ adjacent }: ProgramAnalysis, pass: 0 | 1) => ({
  pass,
  read: 1,
  pairs: adjacent.length,
  ...Object.fromEntries(adjacent.map((pair) => [`${pairPrefix}${pair}`, 1])),
})
