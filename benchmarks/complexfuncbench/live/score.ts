/**
 * Scores with both judgements: by golden calls, and by the state left. Who led the dialogue gives the
 * verdict. A dialogue that golden calls led is judged by what its calls leave when they are made in the
 * world; one that the world led is judged by golden calls as far as these would have answered alike.
 */
import { type Candidate, canonicalJson, type JsonValue, type Message, type Score } from '@stateeval/contracts'
import type { ComplexCase, ComplexTask } from '../case.ts'
import type { ConversationOf } from '../conversation/cache.ts'
import { policies as byGoldenCalls } from '../dialogue/converse.ts'
import { type BeginDecision, type DialogueDecision, selectMeasured } from '../dialogue/decisions.ts'
import { judgeByOther } from '../other-policy.ts'
import { getRunner } from '../runner/index.ts'
import { buildJudgement, splitDecisions, judgeWithoutEnd } from '../score.ts'
import { ask, type HeardAnswer, openTravel } from '../travel/world.ts'
import type { DialogueEnds } from '../creation/sample.ts'
import type { LivePart } from './case.ts'
import { findCallFault } from './converse.ts'
import type { LiveDecision, LiveEnd } from './decisions.ts'
import { judgeWorldState, type WorldLeaves } from './judge.ts'
import { statePolicy } from './policy.ts'

type PolicyJudgement = NonNullable<Score['policies']>[string]
type MakeScore = (request: { case: ComplexCase; candidate: Candidate; policy?: string }) => Score

export const withState =
  (scoreByGoldenCalls: MakeScore, conversationOf: ConversationOf): MakeScore =>
  ({ case: c, candidate, policy }) => {
    const { said } = candidate
    const { live } = c.task
    if (said.kind === 'dialogue' && said.policy === statePolicy)
      return scoreLive(c, candidate, conversationOf)
    const score = scoreByGoldenCalls({
      case: c,
      candidate,
      ...(policy !== undefined && policy !== statePolicy && { policy }),
    })
    if (!live || !score.policies || said.kind !== 'dialogue') return score
    const { begin } = splitDecisions(said.decisions as DialogueDecision[])
    const leaves = replayCalls(c, candidate.transcripts[0]?.messages ?? [], {
      live,
      begin: begin!,
      conversationOf,
    })
    return { ...score, policies: { ...score.policies, [statePolicy]: judgeLivePart(c.task, leaves) } }
  }

/** Computes the state that a dialogue's calls leave when they are made in the world. */
function replayCalls(
  c: ComplexCase,
  messages: readonly Message[],
  { live, begin, conversationOf }: { live: LivePart; begin: BeginDecision; conversationOf: ConversationOf },
): WorldLeaves {
  const conversation = conversationOf(c)
  const runner = getRunner({ layout: begin.layout })
  let state = openTravel(live.world)
  for (const message of messages)
    if (message.role === 'assistant')
      for (const call of runner.read(message, conversation))
        if (findCallFault(call, conversation) === null) {
          const args = parseCallArguments(call.arguments.trim() || '{}')
          if (args) state = ask(state, call.name, args).state
        }
  return state
}

/** Finds the golden call that first gets an answer. They are made only where one is asked for. */
function findGoldenCalls({ live, turns }: Pick<ComplexTask, 'live' | 'turns'>) {
  let calls: Map<string, string> | undefined
  const makeAll = () => {
    const made = new Map<string, string>()
    let state = openTravel(live!.world)
    for (const { name, arguments: text } of turns.flat()) {
      const known = state.heard.length
      state = ask(state, name, parseCallArguments(text) ?? {}).state
      for (const one of state.heard.slice(known)) made.set(canonicalJson({ ...one }), `${name} ${text}`)
    }
    return made
  }
  return (heard: HeardAnswer) => (calls ??= makeAll()).get(canonicalJson({ ...heard }))
}

/** Arguments as the world takes them; null for what only Python reads, such as NaN. */
function parseCallArguments(text: string): Record<string, JsonValue> | null {
  try {
    return JSON.parse(text) as Record<string, JsonValue>
  } catch {
    return null
  }
}

function judgeLivePart(
  task: Pick<ComplexTask, 'live' | 'turns'>,
  leaves: WorldLeaves,
  end?: LiveEnd,
): PolicyJudgement {
  const judged = judgeWorldState(task.live!.left as DialogueEnds, leaves, findGoldenCalls(task))
  const cut = end?.by === 'limit'
  return {
    passed: judged.passed && !cut,
    verdict: cut ? 'limit' : judged.passed ? 'success' : 'wrong_state',
    metrics: {
      reached: judged.reached,
      wanted: judged.total,
      ...(end && { steps: end.steps, calls: end.calls, refused_calls: end.refused }),
    },
    differences: [...judged.differences, ...(cut ? [{ where: 'end', says: end.message }] : [])],
  }
}

function scoreLive(c: ComplexCase, candidate: Candidate, conversationOf: ConversationOf): Score {
  const { said, runs } = candidate
  const { live } = c.task
  if (said.kind !== 'dialogue' || !live) return createInfrastructureScore('the case has no live world')
  const decisions = said.decisions as LiveDecision[]
  const begin = decisions.find((one) => one.kind === 'begin')
  const end = decisions.find((one) => one.kind === 'live end')
  if (!begin || !end) return judgeWithoutEnd(c, [statePolicy])
  const observation = runs[said.inputs[0]?.run ?? -1]?.observations[0]
  if (!observation) return createInfrastructureScore('the world was not observed')
  const { ending, faults } = observation
  if (ending.status === 'infrastructure' || faults.length > 0)
    return createInfrastructureScore(faults[0] ?? ('reason' in ending ? ending.reason : 'the world failed'))
  // A session that its calls ended leaves no world.
  const left = (observation.world?.state as WorldLeaves | undefined) ?? { heard: [], bookings: [] }
  const stateJudgement = judgeLivePart(c.task, left, observation.world ? end : { ...end, by: 'limit' })
  const conversation = conversationOf(c)
  const others = byGoldenCalls.map((policy) => [
    policy,
    buildJudgement(judgeByOther(conversation, policy, { begin, end, candidate }), c),
  ])
  const { metrics } = stateJudgement
  return {
    passed: stateJudgement.passed,
    verdict: stateJudgement.verdict,
    reward: stateJudgement.passed ? 1 : (metrics['reached'] ?? 0) / Math.max(1, metrics['wanted'] ?? 1) / 2,
    metrics: {
      ...metrics,
      shortest_steps: c.task.turns.length,
      completeness: selectMeasured(end.completeness),
      correctness: selectMeasured(end.correctness),
    },
    evidence: { differences: stateJudgement.differences },
    policies: {
      ...(Object.fromEntries(others) as Record<string, PolicyJudgement>),
      [statePolicy]: stateJudgement,
    },
  }
}

const createInfrastructureScore = (says: string): Score => ({
  passed: false,
  verdict: 'infrastructure_error',
  metrics: {},
  evidence: { differences: [{ where: 'world', says }] },
})
