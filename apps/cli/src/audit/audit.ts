/** Known ways to cheat, tried against a benchmark over HTTP: each attempt is an answer that is evaluated. */
import { ServiceError } from '@stateeval/client'
import type { AnswerForm, CheatingAttempt } from '@stateeval/attacks/attempts'
import type {
  BenchmarkCase,
  EvaluationRequest,
  EvaluationResource,
  GivenAnswer,
  Manifest,
  ScoredSample,
} from '@stateeval/contracts'
import { type ExitCode, Failure } from '../command.ts'
import { formatPlural } from '../report/format.ts'
import { listGivenAnswers } from '../suite/given-answers.ts'
import { connectEvaluation } from '../suite/index.ts'
import { readEveryPage } from '../suite/pages.ts'
import { JobFailure, watch } from '../suite/watch.ts'
import type { CommandTerminal } from '../terminal.ts'
import { confirmDelays } from './delays.ts'
import {
  type AttemptOutcome,
  findLeftovers,
  type Leftover,
  summarizeAttempts,
  type TrialResult,
} from './outcome.ts'
import {
  type HonestCase,
  listHonestAnswers,
  honestSamples,
  selectScoredAnswers,
  planTrials,
  type AuditTrial,
} from './plan.ts'
import { type AnswerWay, formatWay, listWays } from './ways.ts'

interface AuditOptions {
  attempts: readonly CheatingAttempt[]
  /** Answers that each attempt is made on. */
  samples: number
  way: AnswerWay
  /** Members of each evaluation's request: policy, judges, limits. */
  request: Partial<EvaluationRequest>
}

interface AuditedBenchmark {
  benchmark: string
  manifest: Manifest
  terminal: CommandTerminal
  signal: AbortSignal
}

export interface WayReport {
  way: string
  evaluations: { reference: string; honest: string; attacked: string[]; after: string }
  attempts: AttemptOutcome[]
  /** Honest answers that were scored otherwise after the attempts. */
  leftovers: Leftover[]
  /** Honest answers were late after the attempts, and the machine was too busy to tell why. */
  isUndecided: boolean
}

export interface AuditReport {
  benchmark: string
  digest: string
  passed: boolean
  ways: WayReport[]
  notTried: { way: string; name: string; why: string }[]
}

type EvaluationRound = { id: string; results: ScoredSample[]; options: EvaluationResource['options'] }

/** An evaluation from its request to its results. */
async function runEvaluation(
  { benchmark, terminal, signal }: AuditedBenchmark,
  title: string,
  request: Partial<EvaluationRequest>,
): Promise<EvaluationRound> {
  const client = connectEvaluation()
  const first = await client.createEvaluation({ body: { benchmark, ...request, tags: ['audit'] } })
  const params = { id: first.id }
  const { options } = await watch(
    { title, first, get: () => client.getEvaluation({ params }), later: `npx stateeval status` },
    terminal,
    signal,
  )
  return {
    id: first.id,
    options,
    results: await readEveryPage((query) => client.getEvaluationResults({ params, query })),
  }
}

const fences: Record<string, AnswerForm> = { javascript: 'javascript', js: 'javascript', python: 'python' }
function detectAnswerForm(answer: GivenAnswer, { language }: EvaluationResource['options']): AnswerForm {
  if ('replies' in answer) return 'dialogue'
  const [, fence = ''] = /^```(\w*)\n/.exec(answer.answer ?? '') ?? []
  return fences[fence] ?? language ?? 'calls'
}

function readScenario(c: BenchmarkCase | undefined): string | undefined {
  if (!c) return undefined
  if ('program' in c) return c.program.scenario
  const { scenario } = c.task as { scenario?: unknown }
  return typeof scenario === 'string' ? scenario : undefined
}

/** The reference's answers, from an evaluation of it, so that dialogues have all of their replies. */
async function readHonestCases(
  { benchmark }: AuditedBenchmark,
  { id, options }: EvaluationRound,
): Promise<HonestCase[]> {
  const client = connectEvaluation()
  const samples = await readEveryPage((query) => client.getEvaluationAnswers({ params: { id }, query }))
  const cases = await readEveryPage((query) =>
    client.listBenchmarkCases({ params: { id: benchmark }, query }),
  )
  const scenarios = new Map(cases.map((one) => [one.id, readScenario(one)]))
  // An attempt says the same on each input.
  const firstOnly = samples.map(({ seeds: _, ...one }) => ({
    ...one,
    transcripts: one.transcripts?.slice(0, 1) ?? [],
  }))
  return listGivenAnswers(firstOnly).flatMap((given): HonestCase[] => {
    if ('notScored' in given) return []
    const { case: name, sample: _, ...answer } = given
    const scenario = scenarios.get(name)
    return [{ id: name, form: detectAnswerForm(given, options), ...(scenario && { scenario }), answer }]
  })
}

async function runAttempts(
  audited: AuditedBenchmark,
  title: string,
  round: readonly AuditTrial[],
  request: Partial<EvaluationRequest>,
): Promise<{ id: string; tried: TrialResult[] }> {
  const samples = Math.max(...round.map(({ given }) => given.sample ?? 0)) + 1
  const { id, results } = await runEvaluation(audited, title, {
    ...request,
    answers: round.map(({ given }) => given),
    partial: true,
    samples,
  })
  const bySample = new Map(results.map((one) => [`${one.case}/${one.sample}`, one]))
  const tried = round.map((trial): TrialResult => {
    const { case: name, sample = 0 } = trial.given
    const result = bySample.get(`${name}/${sample}`)
    return { trial, evaluation: id, ...(result && { result }) }
  })
  return { id, tried }
}

/** A way's report, or why nothing could be tried in it. */
type WayOutcome = { report: WayReport; notTried: { name: string; why: string }[] } | { why: string }

async function auditWay(
  audited: AuditedBenchmark,
  way: AnswerWay,
  { attempts, samples, request }: AuditOptions,
): Promise<WayOutcome> {
  const title = `audit (${formatWay(way)})`
  const common = { ...way, ...request }
  let reference: EvaluationRound
  let cases: HonestCase[]
  try {
    reference = await runEvaluation(audited, `${title}: reference`, { ...common, model: 'reference' })
    cases = await readHonestCases(audited, reference)
  } catch (error) {
    const why = explainNoReference(error)
    if (why === null) throw error
    return { why }
  }
  if (cases.length === 0) return { why: 'the reference has no answer that can be read' }
  const honest = {
    ...common,
    answers: listHonestAnswers(cases),
    partial: true,
    samples: honestSamples,
    label: 'honest',
  }
  const first = await runEvaluation(audited, `${title}: honest answers`, honest)
  const known = selectScoredAnswers(cases, first.results)
  if (known.length === 0) return { why: 'no honest answer was scored' }
  const { rounds, notTried } = planTrials(attempts, known, samples)
  const failing = known.filter(({ sample, passes }) => sample === 0 && !passes).length
  if (failing > 0)
    notTried.push({
      name: 'right answers',
      why: `the reference’s answers to ${formatPlural(failing, 'case')} fail when they are given as answers, as dialogues can depend on their world; attempts on them count as attempts on wrong answers`,
    })
  if (rounds.length === 0) return { why: 'no attempt is written for its form of answers' }
  const ids: string[] = []
  const attack = async (): Promise<TrialResult[]> => {
    const tried: TrialResult[] = []
    for (const [at, round] of rounds.entries()) {
      const name = `${title}: attempts ${at + 1} of ${rounds.length}`
      const { id, tried: more } = await runAttempts(audited, name, round, { ...common, label: 'attempts' })
      ids.push(id)
      tried.push(...more)
    }
    return tried
  }
  const repeatHonest = () => runEvaluation(audited, `${title}: honest answers again`, honest)
  const tried = await attack()
  const after = await repeatHonest()
  const delays = await confirmDelays(first.results, after.results, {
    scoreHonest: async () => (await repeatHonest()).results,
    repeatAttempts: attack,
  })
  // A right answer that a busy machine failed once is right all the same.
  const settled = new Map(
    selectScoredAnswers(cases, first.results, after.results).map((one) => [`${one.id}/${one.sample}`, one]),
  )
  for (const { trial } of tried)
    trial.honest = settled.get(`${trial.honest.id}/${trial.honest.sample}`) ?? trial.honest
  return {
    report: {
      way: formatWay(way),
      evaluations: { reference: reference.id, honest: first.id, attacked: ids, after: after.id },
      attempts: summarizeAttempts(tried),
      leftovers: [...findLeftovers(first.results, after.results), ...(delays ?? [])],
      isUndecided: delays === null,
    },
    notTried,
  }
}

/** Throws a Failure if nothing could be tried. */
export async function runAudit(audited: AuditedBenchmark, options: AuditOptions): Promise<AuditReport> {
  const report: AuditReport = {
    benchmark: audited.benchmark,
    digest: audited.manifest.digest,
    passed: true,
    ways: [],
    notTried: [],
  }
  for (const way of await listWays(audited.manifest, options.way)) {
    const outcome = await auditWay(audited, way, options)
    if ('why' in outcome) {
      report.notTried.push({ way: formatWay(way), name: 'all attempts', why: outcome.why })
      continue
    }
    report.ways.push(outcome.report)
    report.notTried.push(...outcome.notTried.map((entry) => ({ way: outcome.report.way, ...entry })))
  }
  if (report.ways.length === 0)
    throw new Failure(
      `Nothing could be tried: ${report.notTried.map(({ way, why }) => `${way}: ${why}`).join('; ')}`,
    )
  report.passed = report.ways.every(
    ({ attempts, leftovers, isUndecided }) =>
      !isUndecided && leftovers.length === 0 && attempts.every(({ verdict }) => verdict === 'held'),
  )
  return report
}

/** 1 if an attempt worked or left something behind, 2 if only a busy machine keeps the audit from passing. */
export function getAuditExitCode({ passed, ways }: AuditReport): ExitCode {
  if (passed) return 0
  const isBroken = ways.some(
    ({ attempts, leftovers }) => leftovers.length > 0 || attempts.some(({ verdict }) => verdict !== 'held'),
  )
  return isBroken ? 1 : 2
}

/**
 * Says why a way has no reference, or null for errors that are not about the way. Only the reference may
 * excuse a way: an evaluation of attempts that fails must end the audit.
 */
export function explainNoReference(error: unknown): string | null {
  if (error instanceof ServiceError) {
    const { status, detail } = error.problem
    if (status === 422) return detail
    return status === 403 || status === 404 ? `its reference cannot be read: ${detail}` : null
  }
  // Jobs can show why they failed: by their baseline check, for example.
  return error instanceof JobFailure && error.status === 'failed' ? error.message : null
}
