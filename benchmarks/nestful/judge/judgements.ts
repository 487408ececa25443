/** The judgement of each policy on one answer: its verdict, its measures, and why. */
import type { ValueDifference, AnswerReading, Score } from '@stateeval/contracts'
import { type BenchmarkHost, cutApart } from '@stateeval/program'
import type { NestfulCase } from '../case.ts'
import { type RunEnd } from '../outcome.ts'
import { readPublishedCounts, type NestfulPolicy } from '../readings.ts'
import { type AnswerError, type ErrorContext, listErrors } from './errors.ts'
import { listPredictionMarks } from './marks.ts'
import {
  type ComparedCall,
  loadGold,
  computePartialMatch,
  groundPrediction,
  collectSets,
} from './published.ts'
import { type SoundMatch, matchSound } from './sound.ts'
import { isWin } from './win.ts'
import { isKeepingReads, compareWithGold, type WorldSameness } from './world.ts'

/**
 * correct: the whole sequence. partial: at least one call. wrong: none. no_calls: the answer has no list of
 * calls.
 */
export const verdicts = ['correct', 'partial', 'wrong', 'no_calls', 'infrastructure_error'] as const
type NestfulVerdict = (typeof verdicts)[number]

type NestfulJudgement = NonNullable<Score['policies']>[string]
interface JudgedAnswer extends NestfulJudgement {
  errors: AnswerError[]
}

const chooseVerdict = (full: boolean, partial: number, calls: number): NestfulVerdict =>
  full ? 'correct' : partial > 0 ? 'partial' : calls > 0 ? 'wrong' : 'no_calls'

/** The gold calls of a case as texts: the same for all its samples. */
const goldTexts = new WeakMap<NestfulCase, ComparedCall[]>()
function loadGoldTexts(c: NestfulCase): ComparedCall[] {
  const texts = goldTexts.get(c) ?? loadGold(c.task.calls)
  goldTexts.set(c, texts)
  return texts
}

/** How samples of a case are run: the same for all its answers. */
interface RunConditions {
  /** Over live APIs, else against a mock. */
  isLive: boolean
  /** Tells whether the functions of its gold calls can be run here. */
  runs: (rules: NestfulPolicy) => boolean
}

export function judgePublished(
  c: NestfulCase,
  reading: AnswerReading | undefined,
  ended: RunEnd,
  running: RunConditions,
): JudgedAnswer {
  const gold = loadGoldTexts(c)
  const predicted = groundPrediction(reading?.calls ?? [])
  const partial = computePartialMatch(gold, predicted)
  const full = partial === 1
  const { parsingError, unreadable, slotErrors } = readPublishedCounts(reading ?? {})
  const sameNames =
    gold.length === predicted.length && gold.every(({ name }, at) => predicted[at]!.name === name)
  const difference = parsingError
    ? { where: 'answer', says: reading!.none! }
    : findFirstCallDifference(gold, predicted)
  return {
    passed: full,
    verdict: chooseVerdict(full, partial, predicted.length),
    metrics: {
      partial,
      full: full ? 1 : 0,
      parsing_errors: parsingError ? 1 : 0,
      unreadable,
      slot_errors: slotErrors + unreadable,
      ...computeExecutionMetrics(c, ended, { sameNames, policy: 'published', running }),
      ...listPredictionMarks(collectSets(predicted)),
    },
    differences: [...(full ? [] : [difference]), ...endDifferences(ended)],
    errors: [],
  }
}

/** Length of a call in an explanation. */
const longestCall = 200
function findFirstCallDifference(
  gold: readonly ComparedCall[],
  predicted: readonly ComparedCall[],
): ValueDifference {
  const at = gold.findIndex(({ text }, place) => predicted[place]?.text !== text)
  const place = at < 0 ? gold.length : at
  const [one, other] = [gold[place]?.text, predicted[place]?.text]
  const [expected, found] = cutApart(one ?? 'nothing', other ?? 'nothing', longestCall)
  return {
    where: `call ${place + 1}`,
    ...(one !== undefined && { expected }),
    ...(other !== undefined && { found }),
    says: `call ${place + 1} is ${found}; expected ${expected}`,
  }
}

/** Reads the state that the calls left in a fresh case; null where nothing ran. */
function readCaseLeftovers(
  c: NestfulCase,
  ended: RunEnd,
  match: SoundMatch,
  host: BenchmarkHost,
): WorldSameness | null {
  return ended?.by === 'world' ? compareWithGold(c, ended.observation, match, host) : null
}

export function judgeSound(
  c: NestfulCase,
  reading: AnswerReading | undefined,
  ended: RunEnd,
  context: ErrorContext & { running: RunConditions },
  host: BenchmarkHost,
): JudgedAnswer {
  const calls = reading?.calls ?? []
  const match = matchSound(c.task.calls, calls)
  const outcome = readCaseLeftovers(c, ended, match, host)
  // A fresh case has an executable truth: whatever leaves the same results and the same world solves it.
  const passed = c.task.truth ? outcome?.same === true : match.full
  const none = calls.length === 0 ? (reading?.none ?? 'prose') : undefined
  const errors = none === undefined ? (passed ? [] : listErrors(match, context)) : [describeNoCalls(none)]
  const sameNames =
    match.gold.calls.length === calls.length &&
    match.gold.calls.every(({ name }, at) => calls[at]!.name === name)
  const { names, arguments: args } = match
  return {
    passed,
    verdict: chooseVerdict(passed, match.partial, calls.length),
    metrics: {
      partial: match.partial,
      full: match.full ? 1 : 0,
      graph_partial: match.graphPartial,
      graph_full: match.graphFull && (!c.task.truth || isKeepingReads(c, match.graphPairs, host)) ? 1 : 0,
      names_correct: names.correct,
      names_predicted: names.predicted,
      names_gold: names.gold,
      arguments_correct: args.correct,
      arguments_predicted: args.predicted,
      arguments_gold: args.gold,
      ...(c.task.truth && { win: passed ? 1 : 0 }),
      ...computeExecutionMetrics(c, ended, { sameNames, policy: 'sound', running: context.running }),
      ...Object.fromEntries([...new Set(errors.map(({ type }) => type))].map((type) => [`error/${type}`, 1])),
    },
    differences: [
      ...putLabelsFirst(errors).slice(0, 10).map(describeError),
      ...(outcome && !outcome.same ? outcome.differences : []),
      ...endDifferences(ended),
    ],
    errors,
  }
}

const describeNoCalls = (none: string): AnswerError =>
  none === 'an empty list'
    ? { type: 'missing_or_extra_call', where: 'answer', says: 'the answer is an empty list' }
    : {
        type: 'prose_instead_of_calls',
        where: 'answer',
        says: none === 'no answer' ? 'the answer is empty' : 'the answer has no list of calls',
      }

/** What references by a repeated label lead to is unclear until it is mended. */
const putLabelsFirst = (errors: readonly AnswerError[]) =>
  errors.toSorted((a, b) => Number(b.where.startsWith('label ')) - Number(a.where.startsWith('label ')))
const describeError = ({ where, expected, found, says }: AnswerError): ValueDifference => ({
  where,
  ...(expected !== undefined && { expected }),
  ...(found !== undefined && { found }),
  says,
})

interface RunAnswer {
  /** True if it calls the functions of the reference, in their order. */
  sameNames: boolean
  policy: NestfulPolicy
  running: RunConditions
}

/**
 * Win rate and pass rate, where the case supports them. Which rate, and whether, is the case's to say: an
 * answer that cannot be run, or calls nothing, is lost where its reference can be run. `not_run`: nobody
 * knows what it would have got.
 */
function computeExecutionMetrics(
  { task }: NestfulCase,
  ended: RunEnd,
  { sameNames, policy, running }: RunAnswer,
): Record<string, number> {
  const outcome = ended === null || ended.by === 'world' ? null : ended.outcome
  if (task.form === 'v1' && task.passable === true) {
    const by = running.isLive ? 'pass_live' : 'pass_mock'
    const isUnrecorded = ended !== null && ended.by !== 'world' && ended.isUnrecorded === true
    if (outcome?.outcome === 'unavailable' && !isUnrecorded) return { not_run: 1, [`${by}_unknown`]: 1 }
    return {
      [by]: sameNames && outcome?.outcome === 'value' ? 1 : 0,
      ...(isUnrecorded && { not_run: 1, [`${by}_unknown`]: 1 }),
    }
  }
  if (task.form !== 'v2' || task.gold === undefined) return {}
  if (!running.runs(policy)) return { not_run: 1 }
  return { win: outcome !== null && isWin(outcome, task.gold, policy) ? 1 : 0 }
}

function endDifferences(ended: RunEnd): ValueDifference[] {
  if (ended === null || ended.by === 'world' || ended.outcome.outcome === 'value') return []
  const { outcome, call, says } = ended.outcome
  const where = outcome === 'unavailable' ? 'not run' : `run (${ended.by})`
  return [{ where, says: `call ${call + 1}: ${says}` }]
}
