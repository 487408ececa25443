/**
 * The score of one dialogue: the judgement of the policy that led it, and beside it what the other one says.
 */
import type { Candidate, ValueDifference, Score } from '@stateeval/contracts'
import type { ComplexCase } from './case.ts'
import type { ConversationOf } from './conversation/cache.ts'
import { policies, type JudgingPolicy } from './dialogue/converse.ts'
import {
  type BeginDecision,
  type DialogueDecision,
  type EndDecision,
  selectMeasured,
  type RoundDecision,
} from './dialogue/decisions.ts'
import { explain } from './explain.ts'
import { countDecisions, countParameters } from './counts.ts'
import type { ModelUtterances } from './explain.ts'
import { listMatches } from './matches.ts'
import { judgeByOther, type OtherJudgement } from './other-policy.ts'
import { readSpokenCalls } from './spoken.ts'
import { version } from './version.ts'

type ScoreJudgement = NonNullable<Score['policies']>[string]

export const makeScore =
  (conversationOf: ConversationOf) =>
  ({ case: c, candidate, policy }: { case: ComplexCase; candidate: Candidate; policy?: string }): Score => {
    const { said } = candidate
    const led = ((said.kind === 'dialogue' ? said.policy : policy) ?? policies[0]) as JudgingPolicy
    const decisions = (said.kind === 'dialogue' ? said.decisions : []) as DialogueDecision[]
    const { begin, end, rounds } = splitDecisions(decisions)
    if (!begin || !end) return judgeWithoutEnd(c)
    const conversation = conversationOf(c)
    const { messages = [] } = candidate.transcripts[0] ?? {}
    const replayed = (one: JudgingPolicy) => judgeByOther(conversation, one, { begin, end, candidate })
    const own =
      begin.version === version ? { rounds, end } : rejudgeDialogue({ rounds, end }, replayed(led), begin)
    const judgements = Object.fromEntries(
      policies.map((one) => [
        one,
        buildJudgement(
          one === led ? own : replayed(one),
          c,
          readSpokenCalls(messages, conversation, begin.layout, one),
        ),
      ]),
    ) as Record<JudgingPolicy, ScoreJudgement>
    // The policy whose verdict counts, as chosen with the evaluation, and led the dialogue.
    const judgement = judgements[(policy ?? led) as JudgingPolicy]
    const { metrics } = judgements[led]
    return {
      passed: judgement.passed,
      verdict: judgement.verdict,
      reward: judgement.passed
        ? 1
        : Math.min(1, (metrics['correct_calls'] ?? 0) / (metrics['total_calls'] ?? 1)) / 2,
      metrics: {
        ...countDecisions(own.rounds, own.end),
        completeness: selectMeasured(own.end.completeness),
        correctness: selectMeasured(own.end.correctness),
      },
      evidence: {
        differences: judgement.differences,
        matches: listMatches(own.rounds, c.task, readSpokenCalls(messages, conversation, begin.layout, led)),
      },
      policies: judgements,
    }
  }

interface OwnJudgement {
  rounds: readonly RoundDecision[]
  end: EndDecision
  /** Why the present rules cannot judge the dialogue, as the end of a sentence about them. */
  isOlder?: string
}

/**
 * Judges a dialogue by the present rules, where older ones led it; where they part, the older judgement
 * stays.
 */
function rejudgeDialogue(
  stored: Pick<OwnJudgement, 'rounds' | 'end'>,
  { rounds, end, diverges }: OtherJudgement,
  { version: led = 'an older version' }: BeginDecision,
): OwnJudgement {
  if (end && diverges === undefined) return { rounds, end }
  return { ...stored, isOlder: `led by the rules of ${led}; version ${version} ${diverges ?? 'has no end'}` }
}

export function splitDecisions(decisions: readonly DialogueDecision[]) {
  return {
    begin: decisions.find((one): one is BeginDecision => one.kind === 'begin'),
    end: decisions.find((one): one is EndDecision => one.kind === 'end'),
    rounds: decisions.filter((one): one is RoundDecision => one.kind === 'round'),
  }
}

const saidNothing: ModelUtterances = { calls: [], textCalls: () => [] }

export function buildJudgement(
  { rounds, end, diverges, isOlder }: OtherJudgement & Pick<OwnJudgement, 'isOlder'>,
  c: ComplexCase,
  spoken: ModelUtterances = saidNothing,
): ScoreJudgement {
  const differences: ValueDifference[] = [
    ...explain(rounds, end, c.task, spoken),
    ...(end?.verdict === 'success' ? [] : (c.task.marks ?? [])).map(({ call, says }) => ({
      where: 'set',
      says: `golden call ${call + 1} is marked, because the released check refuses it: ${says}`,
    })),
    ...(isOlder === undefined ? [] : [{ where: 'version', says: `This dialogue was ${isOlder}` }]),
  ]
  if (diverges !== undefined || !end)
    return {
      passed: false,
      verdict: 'diverged',
      metrics: { ...countParameters(rounds, c.task) },
      differences: [...differences, { where: 'divergence', says: `This policy ${diverges ?? 'has no end'}` }],
    }
  const { completeness, correctness } = end
  return {
    passed: end.verdict === 'success',
    verdict: end.verdict,
    metrics: {
      ...countDecisions(rounds, end),
      ...countParameters(rounds, c.task),
      ...selectAnswerScore('completeness', completeness?.score),
      ...selectAnswerScore('correctness', correctness?.score),
    },
    differences,
  }
}

/** -1 and -2 are no scores: such a run counts in no mean. */
const selectAnswerScore = (name: string, score: number | null | undefined) =>
  score === null || score === undefined ? {} : { [name]: score }

/** Judges a dialogue that came to no end: the candidate left nothing that could be judged. */
export function judgeWithoutEnd(c: ComplexCase, others: readonly string[] = []): Score {
  const { turns } = c.task
  const message = 'the dialogue has no end'
  const end: EndDecision = {
    ...{ kind: 'end', by: 'limit', verdict: 'limit', message },
    ...{ correct: 0, total: turns.flat().length, steps: 0, turns: turns.length, successTurns: 0 },
  }
  const judgement = buildJudgement({ rounds: [], end }, c)
  return {
    passed: false,
    verdict: 'limit',
    reward: 0,
    metrics: { ...countDecisions([], end), completeness: null, correctness: null },
    evidence: { differences: [{ where: 'dialogue', says: message }] },
    policies: Object.fromEntries([...policies, ...others].map((one) => [one, judgement])),
  }
}
