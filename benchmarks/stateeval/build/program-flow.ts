/**
 * From a generated program to a test case: the reference code runs twice, or once in each language, each run
 * on all inputs; the runs and the state machine's prediction must agree, else the program is dropped with the
 * reason; then it is translated.
 */
import {
  toJson,
  type Candidate,
  type Case,
  type ExecutionInput,
  type JsonValue,
  type Observation,
  type Oracle,
  type Program,
  type ProgramTranslation,
  type Score,
  type WorldState,
} from '@stateeval/contracts'
import {
  retryStep,
  type BuildEvidence,
  type BuildNeed,
  emit,
  type Episode,
  type StateFlow,
  listExecutionPaths,
  listInputs as allInputsOf,
  interpret,
  type ItemAnswer,
  type FlowTransition,
  type ProgramContext as HostContext,
  buildProgramCandidate,
  type ProgramEnd,
  readRunResult,
  resolveTensors,
  type Scenario,
  describeTrouble,
} from '@stateeval/program'
import { createDraftCase, createUnrunObservation } from './case.ts'
import {
  type NegotiationFlowState,
  type NegotiationOutcome,
  buildNegotiationNeed,
  resumeNegotiating,
  startNegotiating,
} from './negotiation.ts'
import {
  type AgentContext,
  resumeRoundTrip,
  buildRoundTripNeed,
  type RoundTripState,
  startRoundTrip,
} from './round-trip.ts'
import { withStableIds } from './stable-ids.ts'
import { takeRunValues } from './predicted-tensors.ts'

/** How test cases are asked about and judged: the benchmark itself. */
export interface CaseJudging {
  episode: Episode<Case>
  score: (request: { case: Case; candidate: Candidate }) => Score
}
export type CaseContext = HostContext & CaseJudging

type ProgramState =
  | { step: 'first'; tries: number; retries: number }
  /** `replay` counts the runs that must agree with the oracles. */
  | { step: 'second'; replay: number; tries: number; retries: number; oracles: Oracle[]; runtimes: string[] }
  | { step: 'translate'; tries: number; retries: number; oracles: Oracle[]; runtimes: string[] }
  | { step: 'negotiate'; retries: number; oracles: Oracle[]; runtimes: string[]; talk: NegotiationFlowState }
  | RoundTripState

export type CaseEnd = ProgramEnd<Case>
type ProgramStep = FlowTransition<ProgramState, CaseEnd>

/**
 * The inputs of the test case: one for each path, without those after the first that don't take theirs; then
 * those in second worlds, which the paper doesn't have.
 */
function listCaseInputs(program: Program, scenario: Scenario): { inputs: ExecutionInput[]; flags: string[] } {
  const all = allInputsOf(program)
  const paths = listExecutionPaths(program)
  const inputs = all.filter((input, path) => {
    if (path === 0 || path >= paths.length) return true
    const prediction = interpret(program, scenario, input)
    return prediction.ok && prediction.branch === paths[path]?.branch
  })
  return { inputs, flags: inputs.length < all.length ? ['dead_branch'] : [] }
}

/** Languages of the runs that must agree with the oracles: all others, or the same once more. */
const listReplayLanguages = ({ options: { languages } }: CaseContext) =>
  languages.length > 1 ? languages.slice(1) : languages

const dropProgram = (
  state: { retries: number },
  phase: 'oracle' | 'translate',
  reason: string,
  detail: string,
): ProgramStep => ({
  done: { status: 'dropped', phase, reason, detail: detail.slice(0, 1000), retries: state.retries },
})

/** Why a run of reference code can't be an oracle, as { reason, detail }; null where it can. */
function explainUnfitRun(observations: readonly Observation[]): { reason: string; detail: string } | null {
  for (const { ending, world } of observations) {
    if (ending.status !== 'completed')
      return {
        reason: `the reference code ended with ${ending.status}`,
        detail:
          'error' in ending
            ? `${ending.error.name}: ${ending.error.message}`
            : 'reason' in ending
              ? ending.reason
              : ending.status,
      }
    if (world === null) return { reason: 'the world could not be observed', detail: 'no world state' }
  }
  return null
}

/**
 * Explains what differs between the oracles and other observations of the same inputs; null where they agree
 * up to ids.
 */
function describeDisagreement(
  context: CaseContext,
  oracles: Oracle[],
  observations: Observation[],
): string | null {
  const draft = createDraftCase({ ...context, oracles, instruction: '', flags: [] })
  const score = context.score({
    case: draft,
    candidate: buildProgramCandidate({ code: '', observations }),
  })
  if (score.passed) return null
  return (
    score.evidence.differences.map(({ says }) => says).join('; ') ||
    score.evidence.error?.message ||
    score.verdict
  )
}

function advanceRun(
  state: ProgramState & { step: 'first' | 'second' },
  answer: ItemAnswer,
  context: CaseContext,
): ProgramStep {
  const ran = readRunResult(answer)
  if ('trouble' in ran) {
    const { passing, says } = ran.trouble
    return (
      retryStep(state, ran.trouble) ??
      dropProgram(state, 'oracle', passing ? 'infrastructure error' : 'the execution was refused', says)
    )
  }
  const { observations, runtime } = ran.result
  const why = explainUnfitRun(observations)
  if (why) return dropProgram(state, 'oracle', why.reason, why.detail)
  const { inputs } = listCaseInputs(context.program, context.scenario)
  if (state.step === 'second') {
    const difference = describeDisagreement(context, state.oracles, observations)
    if (difference !== null) return dropProgram(state, 'oracle', 'two replays disagree', difference)
    const runtimes = [...new Set([...state.runtimes, runtime])].sort()
    const replay = state.replay + 1
    if (replay < listReplayLanguages(context).length)
      return { state: { ...state, replay, tries: 0, runtimes } }
    const { retries, oracles } = state
    if (context.agents)
      return finishNegotiation({ retries, oracles, runtimes }, startNegotiating(withAgents(context)), context)
    return { state: { step: 'translate', tries: 0, retries, oracles, runtimes } }
  }
  const oracles = observations.map(({ ending, world }, at): Oracle => {
    const oracle = {
      input: inputs[at] as ExecutionInput,
      result: ending.status === 'completed' ? ending.result : null,
      world: world as WorldState,
    }
    return withStableIds(oracle, `${context.program.id}/${at}`)
  })
  const tensors = resolveTensors(inputs, (hash) => context.artifacts[hash])
  if (!tensors.ok) return dropProgram(state, 'oracle', 'an artifact is missing', tensors.says)
  const predictions = tensors.value.map((input) => interpret(context.program, context.scenario, input))
  const broken = predictions.find((prediction) => !prediction.ok)
  if (broken && !broken.ok)
    return dropProgram(state, 'oracle', 'the state machine predicts an error', broken.error)
  const difference = describeDisagreement(
    context,
    oracles,
    predictions.map((prediction, at) =>
      createUnrunObservation(
        'prediction',
        prediction.ok ? takeRunValues(oracles[at]?.result, prediction.result) : null,
        prediction.world,
      ),
    ),
  )
  if (difference !== null) return dropProgram(state, 'oracle', 'replay and prediction disagree', difference)
  return {
    state: { step: 'second', replay: 0, tries: 0, retries: state.retries, oracles, runtimes: [runtime] },
  }
}

function advanceTranslation(
  state: ProgramState & { step: 'translate' },
  answer: ItemAnswer,
  context: CaseContext,
): ProgramStep {
  if (!answer.ok) {
    const reason = answer.refused ? 'the translation was refused' : 'infrastructure error'
    return retryStep(state, describeTrouble(answer)) ?? dropProgram(state, 'translate', reason, answer.reason)
  }
  const translation = answer.value as ProgramTranslation
  const { flags } = listCaseInputs(context.program, context.scenario)
  const instruction = translation.status === 'rejected' ? '' : translation.instruction
  const caseDraft = createDraftCase({ ...context, oracles: state.oracles, instruction, flags })
  const { retries, runtimes } = state
  if (translation.status === 'verified')
    return { done: { status: 'passed', case: caseDraft, runtimes, retries } }
  return dropProgram(
    state,
    'translate',
    'the instruction could not be verified',
    'reason' in translation ? (translation.reason ?? '') : translation.status,
  )
}

function advanceNegotiation(
  state: ProgramState & { step: 'negotiate' },
  answer: ItemAnswer,
  context: AgentContext,
): ProgramStep {
  const { retries, oracles, runtimes, talk } = state
  return finishNegotiation({ retries, oracles, runtimes }, resumeNegotiating(talk, answer, context), context)
}

type CaseEvidence = BuildEvidence<Case>
interface ProvedProgram {
  retries: number
  oracles: Oracle[]
  runtimes: string[]
}

/** Finishes a negotiation: with an instruction that has to be proved, or with evidence for people. */
function finishNegotiation(
  state: ProvedProgram,
  next: FlowTransition<NegotiationFlowState, NegotiationOutcome>,
  context: CaseContext,
): ProgramStep {
  if ('state' in next) return { state: { ...state, step: 'negotiate', talk: next.state } }
  const outcome = next.done
  const retries = state.retries + outcome.retries
  const lost = (reason: string, detail: string, review: CaseEvidence): ProgramStep => ({
    done: { status: 'dropped', phase: 'translate', reason, detail: detail.slice(0, 1000), retries, review },
  })
  const { flags } = listCaseInputs(context.program, context.scenario)
  const draft = (instruction: string) =>
    createDraftCase({ ...context, oracles: state.oracles, instruction, flags })
  if ('silent' in outcome) {
    const { silent, dialogue } = outcome
    const review: CaseEvidence = {
      status: 'needs_review',
      reason: silent,
      case: draft(''),
      dialogue,
      tries: [],
    }
    return lost('a question was not answered', silent, review)
  }
  const { end } = outcome
  const { dialogue } = end
  const caseDraft = draft('instruction' in end ? end.instruction : '')
  if (end.status === 'agreed')
    return startRoundTrip({ draft: caseDraft, dialogue, runtimes: state.runtimes, retries })
  const { status, reason } = end
  const short = status === 'needs_review' ? 'needs review' : (reason.split(':')[0] ?? reason)
  return lost(short, reason, { status, reason, case: caseDraft, dialogue, tries: [] })
}

const withAgents = (context: CaseContext): AgentContext => {
  if (!context.agents) throw new Error('no models are named for the agents')
  return { ...context, agents: context.agents }
}

/** The flow of a benchmark that judges like this. */
export function makeProgramFlow(judge: CaseJudging): StateFlow<HostContext, JsonValue, CaseEnd, BuildNeed> {
  const of = (context: HostContext): CaseContext => ({ ...context, ...judge })
  return {
    start: (context) => start(of(context)) as FlowTransition<JsonValue, CaseEnd>,
    resume: (state, answer, context) =>
      resume(state as ProgramState, answer, of(context)) as FlowTransition<JsonValue, CaseEnd>,
    need: (state, context) => buildProgramNeed(state as ProgramState, of(context)),
  }
}

function start(context: CaseContext): ProgramStep {
  const state: ProgramState = { step: 'first', tries: 0, retries: 0 }
  const unwritten = context.options.languages.find((language) => emit(context.program, language) === null)
  return unwritten === undefined
    ? { state }
    : dropProgram(state, 'oracle', `no emitter for ${unwritten}`, context.program.id)
}

function resume(state: ProgramState, answer: ItemAnswer, context: CaseContext): ProgramStep {
  switch (state.step) {
    case 'first':
    case 'second':
      return advanceRun(state, answer, context)
    case 'translate':
      return advanceTranslation(state, answer, context)
    case 'negotiate':
      return advanceNegotiation(state, answer, withAgents(context))
    case 'code':
    case 'prove':
      return resumeRoundTrip(state, answer, withAgents(context))
  }
}

function buildProgramNeed(state: ProgramState, context: CaseContext): BuildNeed {
  const { program, scenario, options } = context
  if (state.step === 'code' || state.step === 'prove') return buildRoundTripNeed(state, withAgents(context))
  if (state.step === 'negotiate') return buildNegotiationNeed(state.talk, withAgents(context))
  if (state.step === 'translate')
    return {
      kind: 'translate',
      payload: toJson({ program, translator: options.translator, seed: options.seed }),
    }
  const { inputs } = listCaseInputs(program, scenario)
  const language = state.step === 'first' ? options.languages[0] : listReplayLanguages(context)[state.replay]
  if (!language) throw new Error('a program needs a language in which it can run')
  const limits = scenario.limitsFor?.(program, language)
  return {
    kind: 'execute',
    payload: {
      language,
      code: emit(program, language) as string,
      world: scenario.world,
      inputs,
      ...(limits && { limits }),
    },
  }
}
