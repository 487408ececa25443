/**
 * Verification of what agents wrote, in place of the paper's manual filter: a model that sees instruction, documentation and
 * variable names only writes the code, and within some tries it must reproduce the oracle. So every call, argument and
 * branch can be recovered from the instruction.
 */
import type { Case, DialogueTurn, ExecutionRequest, Json, Review, Turn } from '@stateeval/contracts'
import { answerKey } from '@stateeval/models'
import type { Answered, Question } from '../asking/question.ts'
import type { BuildAgents } from '../owners/owner.ts'
import { type Asking, plusAnswer, plusSilence } from './asking.ts'
import { again, type Answer, type Need, type Next, ranIn } from './flow.ts'
import type { ProgramContext, ProgramOutcome } from './program-flow.ts'

/** What agents leave behind, verified or not. */
export interface AgentEvidence {
  status: Review['status']
  reason?: string
  /** The test case with the instruction; an empty one where there is none. */
  case: Case
  dialogue: DialogueTurn[]
  tries: Review['tries']
}

export type AgentContext = ProgramContext & { agents: BuildAgents }

interface Carried {
  tries: number
  retries: number
  runtimes: string[]
  draft: Case
  dialogue: DialogueTurn[]
  asking: Asking
  proofs: Review['tries']
}
export type RoundTripState = Carried & ({ step: 'code' } | { step: 'prove'; episode: Json; request: ExecutionRequest })
type Step = Next<RoundTripState, ProgramOutcome>

/**
 * Samples of a round trip are asked apart from an evaluation's. These were selected, one of them passed: an evaluation that
 * found them kept would report a model that is better than it is.
 */
const firstSample = 1_000_000

const turnOf = ({ draft }: Carried, { benchmark, options }: ProgramContext): Turn =>
  benchmark.episode.start(draft, { language: options.languages[0] ?? 'javascript', prompting: 'direct' })

export const startRoundTrip = (carried: Omit<Carried, 'tries' | 'proofs'>): { state: RoundTripState } => ({
  state: { ...carried, tries: 0, proofs: [], step: 'code' },
})

export function roundTripNeed(state: RoundTripState, context: AgentContext): Need {
  if (state.step === 'prove') return { kind: 'execute', payload: state.request }
  return { kind: 'ask', payload: questionOf(state, context) }
}

function questionOf(state: RoundTripState, context: AgentContext): Question {
  const turn = turnOf(state, context)
  if (!('need' in turn) || turn.need.kind !== 'reply') throw new Error('the benchmark’s episodes don’t begin with a question')
  return { model: context.agents.coder, messages: turn.need.messages, sample: firstSample + state.proofs.length }
}

export function resumeRoundTrip(state: RoundTripState, answer: Answer, context: AgentContext): Step {
  return state.step === 'code' ? afterCode(state, answer, context) : afterProof(state, answer, context)
}

function afterCode(state: RoundTripState, answer: Answer, context: AgentContext): Step {
  if (!answer.ok) {
    const { model, messages, sample } = questionOf(state, context)
    const key = answerKey(model.settings, { messages }, sample)
    const asked = { ...state, asking: plusSilence(state.asking, { key, refused: answer.refused, reason: answer.reason }) }
    return {
      done: { ...dropped(asked, 'a question was not answered', answer.reason), review: evidence(state, 'needs_review', answer.reason) },
    }
  }
  const said = answer.value as unknown as Answered
  const { text } = said
  const turn = turnOf(state, context)
  if (!('state' in turn)) throw new Error('the benchmark’s episodes don’t begin with a question')
  const next = context.benchmark.episode.resume(turn.state, { kind: 'reply', text })
  const asked = { ...state, asking: plusAnswer(state.asking, context.agents.coder.name, said) }
  if ('done' in next) return judged(asked, next, context)
  if (next.need.kind !== 'execute') throw new Error('an answer is executed next')
  return { state: { ...asked, step: 'prove', tries: 0, episode: next.state, request: next.need.request } }
}

function afterProof(state: RoundTripState & { step: 'prove' }, answer: Answer, context: AgentContext): Step {
  const ran = ranIn(answer)
  if ('trouble' in ran) {
    const { says } = ran.trouble
    const end = { ...dropped(state, 'infrastructure error', says), review: evidence(state, 'needs_review', says) }
    return again(state, ran.trouble) ?? { done: end }
  }
  const next = context.benchmark.episode.resume(state.episode, { kind: 'executed', result: ran.result })
  return judged(state, next, context)
}

/** One try is over: verified, another try, or the end of tries. */
function judged(state: RoundTripState, turn: Turn, context: AgentContext): Step {
  if (!('done' in turn)) throw new Error('an answer is executed once')
  const { draft } = state
  const score = context.benchmark.score({ case: draft, candidate: turn.done })
  const says = score.evidence.error?.message ?? score.evidence.differences[0]?.says
  const proofs = [...state.proofs, { verdict: score.verdict, code: turn.done.code, ...(says !== undefined && { says }) }]
  const { runtimes, retries, asking, dialogue } = state
  const carried: Carried = { tries: 0, retries, runtimes, draft, dialogue, asking, proofs }
  if (score.passed)
    return {
      done: { status: 'passed', case: draft, runtimes, retries, asking, usage: asking.usage, review: evidence(carried, 'verified') },
    }
  if (proofs.length < context.agents.tries) return { state: { ...carried, step: 'code' } }
  const reason = `no code written from the instruction alone reproduced the oracle in ${proofs.length} ${proofs.length === 1 ? 'try' : 'tries'}`
  return { done: { ...dropped(carried, 'the round trip failed', reason), review: evidence(carried, 'rejected', reason) } }
}

const dropped = ({ retries, asking }: Carried, reason: string, detail: string) =>
  ({ status: 'dropped', phase: 'translate', reason, detail, retries, asking, usage: asking.usage }) as const
const evidence = ({ draft, dialogue, proofs }: Carried, status: AgentEvidence['status'], reason?: string): AgentEvidence => ({
  status,
  ...(reason !== undefined && { reason }),
  case: draft,
  dialogue,
  tries: proofs,
})
