/**
 * Verification of what agents wrote, in place of the paper's manual filter: a model that sees instruction,
 * documentation and variable names only writes the code, and within some tries it must reproduce the oracle.
 * So every call, argument and branch can be recovered from the instruction.
 */
import {
  type Candidate,
  type Case,
  type DialogueTurn,
  type EpisodeEvent,
  type EpisodeOptions,
  type ExecutionRequest,
  buildExecutionRequest,
  type ExecutionResult,
  type JsonValue,
  type Review,
  type Transcript,
  type EpisodeTransition,
} from '@stateeval/contracts'
import {
  retryStep,
  listAttempts,
  type BuildEvidence,
  type BuildNeed,
  type BuildReply,
  type ItemAnswer,
  type FlowTransition,
  readRunResult,
} from '@stateeval/program'
import type { CaseEnd, CaseContext } from './program-flow.ts'

export type AgentContext = CaseContext & { agents: NonNullable<CaseContext['agents']> }

interface CarriedRoundTrip {
  tries: number
  retries: number
  runtimes: string[]
  draft: Case
  dialogue: DialogueTurn[]
  proofs: Review['tries']
}
export type RoundTripState = CarriedRoundTrip &
  ({ step: 'code' } | { step: 'prove'; episode: JsonValue; answer: string; request: ExecutionRequest })
type RoundTripStep = FlowTransition<RoundTripState, CaseEnd>

/**
 * Samples of a round trip are asked apart from an evaluation's. These were selected, one of them passed: an
 * evaluation that found them kept would report a model that is better than it is.
 */
const firstSample = 1_000_000

const buildRoundTripOptions = ({ options }: CaseContext): EpisodeOptions => ({
  language: options.languages[0] ?? 'javascript',
  prompting: 'direct',
})
const takeRoundTripTurn = ({ draft }: CarriedRoundTrip, context: CaseContext): EpisodeTransition =>
  context.episode.start(draft, buildRoundTripOptions(context))

/** The dialogue with the coder: the question, and its answer. */
function listRoundTripTranscripts(
  state: CarriedRoundTrip,
  context: CaseContext,
  answer: string,
): Transcript[] {
  const turn = takeRoundTripTurn(state, context)
  const questions = 'need' in turn && turn.need.kind === 'reply' ? turn.need.append : []
  return [{ role: 'model', messages: [...questions, { role: 'assistant', content: answer }] }]
}

export const startRoundTrip = (
  carried: Omit<CarriedRoundTrip, 'tries' | 'proofs'>,
): { state: RoundTripState } => ({
  state: { ...carried, tries: 0, proofs: [], step: 'code' },
})

export function buildRoundTripNeed(state: RoundTripState, context: AgentContext): BuildNeed {
  if (state.step === 'prove') return { kind: 'execute', payload: state.request }
  const turn = takeRoundTripTurn(state, context)
  if (!('need' in turn) || turn.need.kind !== 'reply')
    throw new Error('the benchmark’s episodes do not begin with a question')
  return {
    kind: 'ask',
    part: 'coder',
    messages: turn.need.append,
    sample: firstSample + state.proofs.length,
  }
}

export function resumeRoundTrip(
  state: RoundTripState,
  answer: ItemAnswer,
  context: AgentContext,
): RoundTripStep {
  return state.step === 'code' ? advanceCode(state, answer, context) : advanceProof(state, answer, context)
}

function advanceCode(state: RoundTripState, answer: ItemAnswer, context: AgentContext): RoundTripStep {
  if (!answer.ok)
    return {
      done: {
        ...dropRoundTrip(state, 'a question was not answered', answer.reason),
        review: buildEvidence(state, 'needs_review', answer.reason),
      },
    }
  const reply = answer.value as BuildReply
  const { text } = reply
  const turn = takeRoundTripTurn(state, context)
  if (!('state' in turn)) throw new Error('the benchmark’s episodes do not begin with a question')
  const transcripts = listRoundTripTranscripts(state, context, text)
  const event: EpisodeEvent = { kind: 'replied', text, finish: reply.finish }
  const next = context.episode.resume(
    state.draft,
    buildRoundTripOptions(context),
    turn.state,
    event,
    transcripts,
  )
  if ('done' in next) return finishTry(state, next, context, { transcripts, runs: [] })
  if (next.need.kind !== 'execute' || next.need.request.kind !== 'code')
    throw new Error('the next step after an answer must be its execution')
  const request = buildExecutionRequest(next.need.request)
  return { state: { ...state, step: 'prove', tries: 0, episode: next.state, answer: text, request } }
}

function advanceProof(
  state: RoundTripState & { step: 'prove' },
  answer: ItemAnswer,
  context: AgentContext,
): RoundTripStep {
  const ran = readRunResult(answer)
  if ('trouble' in ran) {
    const { says } = ran.trouble
    const end = {
      ...dropRoundTrip(state, 'infrastructure error', says),
      review: buildEvidence(state, 'needs_review', says),
    }
    return retryStep(state, ran.trouble) ?? { done: end }
  }
  const transcripts = listRoundTripTranscripts(state, context, state.answer)
  const event: EpisodeEvent = { kind: 'executed', run: 0, result: ran.result }
  const next = context.episode.resume(
    state.draft,
    buildRoundTripOptions(context),
    state.episode,
    event,
    transcripts,
  )
  return finishTry(state, next, context, { transcripts, runs: [ran.result] })
}

/** One try is over: verified, another try, or the end of tries. */
function finishTry(
  state: RoundTripState,
  turn: EpisodeTransition,
  context: AgentContext,
  dialogue: { transcripts: Transcript[]; runs: ExecutionResult[] },
): RoundTripStep {
  if (!('done' in turn)) throw new Error('an answer must be executed once')
  const { draft } = state
  const candidate: Candidate = { said: turn.done, ...dialogue, consultations: [] }
  const score = context.score({ case: draft, candidate })
  const says = score.evidence.error?.message ?? score.evidence.differences[0]?.says
  const proofs = [
    ...state.proofs,
    {
      verdict: score.verdict,
      code: listAttempts(candidate).at(-1)?.code ?? null,
      ...(says !== undefined && { says }),
    },
  ]
  const { runtimes, retries } = state
  const carried: CarriedRoundTrip = { tries: 0, retries, runtimes, draft, dialogue: state.dialogue, proofs }
  if (score.passed)
    return {
      done: {
        status: 'passed',
        case: draft,
        runtimes,
        retries,
        review: buildEvidence(carried, 'verified'),
      },
    }
  if (proofs.length < context.agents.tries) return { state: { ...carried, step: 'code' } }
  const reason = `no code written from the instruction alone reproduced the oracle in ${proofs.length} ${proofs.length === 1 ? 'try' : 'tries'}`
  return {
    done: {
      ...dropRoundTrip(carried, 'the round trip failed', reason),
      review: buildEvidence(carried, 'rejected', reason),
    },
  }
}

const dropRoundTrip = ({ retries }: CarriedRoundTrip, reason: string, detail: string) =>
  ({ status: 'dropped', phase: 'translate', reason, detail, retries }) as const
const buildEvidence = (
  { draft, dialogue, proofs }: CarriedRoundTrip,
  status: BuildEvidence['status'],
  reason?: string,
): BuildEvidence<Case> => ({
  status,
  ...(reason !== undefined && { reason }),
  case: draft,
  dialogue,
  tries: proofs,
})
