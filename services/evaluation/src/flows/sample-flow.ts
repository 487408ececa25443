/**
 * One sample of one case: the benchmark's episode is led to a candidate, the candidate is scored, and a mutant's fate
 * is settled. Infrastructure errors are tried again, then the sample is not scored; they never count against a model.
 */
import type {
  BenchmarkCase,
  Candidate,
  Case,
  EpisodeEvent,
  EpisodeOptions,
  ExecutionRequest,
  ExecutionResult,
  Json,
  Message,
  ModelSettings,
  ModelTool,
  Observation,
  Score,
  ScoredSample,
  Turn,
  Usage,
} from '@stateeval/contracts'
import { type Benchmark, createRng } from '@stateeval/program'
import { addUsage, answerKey, noUsage } from '@stateeval/models'
import { addCounts, countBy } from '../counts.ts'
import type { Answered, Question, Unanswered } from '../asking/question.ts'
import { type Answer, type Flow, faultOf, type Need, type Next, pauses } from './flow.ts'
import { fateWhenFailed, furtherRequests, settled } from './mutant.ts'

/** Who answers: a built-in, a named endpoint, or someone elsewhere (null where no answer was given for this sample). */
export type Responder =
  | { kind: 'reference' }
  | { kind: 'mutant' }
  | { kind: 'endpoint'; name: string; settings: ModelSettings }
  | { kind: 'given'; answer: string | null }

export interface SampleContext {
  benchmark: Benchmark
  case: BenchmarkCase
  sample: number
  responder: Responder
  options: EpisodeOptions & { policy?: string; seed: number | string }
}

/** What is carried from state to state. */
interface Carried {
  tries: number
  retries: number
  runtimes: string[]
  /** Runs by how they were isolated. */
  sandboxes?: Record<string, number>
  usage: Usage
  /** Where the model's answers are kept; how many of them cost nothing here; requests that a kill repeated. */
  places?: string[]
  kept?: number
  repeated?: number
  /** Questions that the model gave no answer to. */
  unanswered?: Unanswered[]
  mutant?: { operator: string; site: string }
  /** What keeps it from a candidate now may be over later. */
  passing?: true
}
export type SampleState = Carried &
  (
    | { step: 'ask'; episode: Json; messages: Message[]; tools?: ModelTool[] }
    | { step: 'execute'; episode: Json; request: ExecutionRequest }
    | { step: 'score'; candidate: Candidate; request: ExecutionRequest | null }
    | { step: 'further'; candidate: Candidate; request: ExecutionRequest; score: Score; reference: Observation[] | null }
  )
export interface SampleOutcome {
  scored: ScoredSample
  /** Not scored, and another try might be: something was away or busy. */
  passing?: true
  answer: string | null
  retries: number
  runtimes: string[]
  sandboxes?: Record<string, number>
  usage: Usage
  places?: string[]
  kept?: number
  repeated?: number
  unanswered?: Unanswered[]
}
type Step = Next<SampleState, SampleOutcome>

const carriedOf = ({ retries, runtimes, sandboxes, usage, places, kept, repeated, unanswered, mutant }: Carried): Carried => ({
  tries: 0,
  retries,
  runtimes,
  ...(sandboxes && { sandboxes }),
  usage,
  ...asked({ places, kept, repeated, unanswered }),
  ...(mutant && { mutant }),
})
type OfAsking = 'places' | 'kept' | 'repeated' | 'unanswered'
const asked = ({ places, kept, repeated, unanswered }: { [K in OfAsking]: Carried[K] | undefined }) => ({
  ...(places && { places }),
  ...(kept && { kept }),
  ...(repeated && { repeated }),
  ...(unanswered && { unanswered }),
})
const nothing: Carried = { tries: 0, retries: 0, runtimes: [], usage: noUsage }

function finish(
  carried: Carried,
  { case: { id }, sample }: SampleContext,
  answer: string | null,
  found: { score: Score; fate?: NonNullable<ScoredSample['mutant']>['fate'] } | { notScored: string; passing?: boolean },
): Step {
  const { retries, runtimes, sandboxes, usage, places, kept, repeated, unanswered, mutant } = carried
  const scored: ScoredSample =
    'score' in found ? { case: id, sample, score: found.score } : { case: id, sample, score: null, notScored: found.notScored }
  if (mutant) scored.mutant = { ...mutant, fate: 'score' in found ? (found.fate ?? 'not_scored') : 'not_scored' }
  const passing = 'notScored' in found && found.passing === true
  return {
    done: {
      scored,
      ...(passing && { passing }),
      answer,
      retries,
      runtimes,
      ...(sandboxes && { sandboxes }),
      usage,
      ...asked({ places, kept, repeated, unanswered }),
    },
  }
}
const again = (state: SampleState): Step => ({
  state: { ...state, tries: state.tries + 1, retries: state.retries + 1 },
  afterMs: pauses[state.tries] ?? 0,
})

/** The built-in's answer; null where it has none for this case. */
function builtIn({
  benchmark,
  case: c,
  sample,
  responder,
  options,
}: SampleContext): { answer: string; mutant?: { operator: string; site: string } } | { none: string } {
  if (responder.kind === 'reference') {
    const answer = benchmark.selfCheck(c, options.language)
    return answer === null ? { none: 'the case has no reference answer in this language' } : { answer }
  }
  const made = benchmark.mutants?.mutate(c, options.language, createRng(`mutant/${options.seed}/${c.id}/${sample}`)) ?? null
  return made === null
    ? { none: 'no mutation operator applies' }
    : { answer: made.answer, mutant: { operator: made.operator, site: made.site } }
}

/** Goes on with an episode's turn. Built-in and given answers are replied at once, so that no job is needed for them. */
function advance(carried: Carried, turn: Turn, context: SampleContext): Step {
  if ('done' in turn) {
    const { done: candidate } = turn
    if (candidate.unavailable !== undefined)
      return finish(carried, context, candidate.answer, { notScored: candidate.unavailable, passing: carried.passing === true })
    return { state: { ...carried, step: 'score', candidate, request: null } }
  }
  const { state: episode, need } = turn
  if (need.kind === 'execute') return { state: { ...carried, step: 'execute', episode, request: need.request } }
  const reply = (text: string, mutant?: Carried['mutant']) =>
    advance({ ...carried, ...(mutant && { mutant }) }, context.benchmark.episode.resume(episode, { kind: 'reply', text }), context)
  const { responder } = context
  if (responder.kind === 'endpoint')
    return { state: { ...carried, step: 'ask', episode, messages: need.messages, ...(need.tools && { tools: need.tools }) } }
  if (responder.kind === 'given')
    return responder.answer === null ? finish(carried, context, null, { notScored: 'no answer was given' }) : reply(responder.answer)
  const made = builtIn(context)
  return 'none' in made ? finish(carried, context, null, { notScored: made.none }) : reply(made.answer, made.mutant)
}

const resumed = (state: SampleState & { episode: Json }, event: EpisodeEvent, carried: Carried, context: SampleContext) =>
  advance(carried, context.benchmark.episode.resume(state.episode, event), context)
const withRuns = (carried: Carried, { runtime, observations }: ExecutionResult): Carried => ({
  ...carried,
  runtimes: [...new Set([...carried.runtimes, runtime])].sort(),
  sandboxes: addCounts([carried.sandboxes, countBy(observations, ({ sandbox }) => sandbox)]),
})

function afterReply(state: SampleState & { step: 'ask' }, answer: Answer, context: SampleContext): Step {
  if (!answer.ok) {
    const { refused, reason } = answer
    const { model, messages, tools, sample } = questionOf(state, context)
    const key = answerKey(model.settings, { messages, ...(tools && { tools }) }, sample)
    const carried = { ...carriedOf(state), unanswered: [...(state.unanswered ?? []), { key, refused, reason }] }
    return resumed(state, { kind: 'unavailable', reason }, carried, context)
  }
  const { text, toolCalls, usage, retries, repeated, place, kept } = answer.value as unknown as Answered
  const carried: Carried = {
    ...carriedOf(state),
    usage: addUsage(state.usage, usage),
    retries: state.retries + retries,
    places: [...(state.places ?? []), place],
    kept: (state.kept ?? 0) + (kept ? 1 : 0),
    repeated: (state.repeated ?? 0) + repeated,
  }
  return resumed(state, { kind: 'reply', text, ...(toolCalls && { toolCalls }) }, carried, context)
}

function afterExecution(state: SampleState & { step: 'execute' }, answer: Answer, context: SampleContext): Step {
  const fault = faultOf(answer) ?? (answer.ok ? null : answer.reason)
  if (fault !== null) {
    if (state.tries < pauses.length && (answer.ok || !answer.refused)) return again(state)
    const carried = { ...carriedOf(state), ...((answer.ok || !answer.refused) && { passing: true as const }) }
    return resumed(state, { kind: 'unavailable', reason: `infrastructure error: ${fault}` }, carried, context)
  }
  const result = (answer as { value: Json }).value as unknown as ExecutionResult
  const next = resumed(state, { kind: 'executed', result }, withRuns(carriedOf(state), result), context)
  // A surviving mutant's code runs again on further inputs.
  if ('state' in next && next.state.step === 'score') return { state: { ...next.state, request: state.request } }
  return next
}

function afterScore(state: SampleState & { step: 'score' }, answer: Answer, context: SampleContext): Step {
  const carried = carriedOf(state)
  const { candidate, request } = state
  if (!answer.ok) {
    if (!answer.refused && state.tries < pauses.length) return again(state)
    return finish(carried, context, candidate.answer, {
      notScored: `the score could not be had: ${answer.reason}`,
      passing: !answer.refused,
    })
  }
  const score = answer.value as unknown as Score
  if (score.verdict === 'infrastructure_error')
    return finish(carried, context, candidate.answer, { notScored: 'infrastructure error', passing: true })
  if (!state.mutant || !context.benchmark.mutants) return finish(carried, context, candidate.answer, { score })
  if (!score.passed)
    return finish(carried, context, candidate.answer, {
      score,
      fate: fateWhenFailed(context.benchmark.mutants, ofProgram(context), candidate, score),
    })
  if (request === null) return finish(carried, context, candidate.answer, { score, fate: 'survived' })
  return { state: { ...carried, step: 'further', candidate, request, score, reference: null } }
}

function afterFurther(state: SampleState & { step: 'further' }, answer: Answer, context: SampleContext): Step {
  const { candidate, score, reference } = state
  const fault = faultOf(answer) ?? (answer.ok ? null : answer.reason)
  if (fault !== null) {
    if (state.tries < pauses.length && (answer.ok || !answer.refused)) return again(state)
    return finish(carriedOf(state), context, candidate.answer, { notScored: `infrastructure error: ${fault}` })
  }
  const result = (answer as { value: Json }).value as unknown as ExecutionResult
  const { observations } = result
  const carried = withRuns(carriedOf(state), result)
  if (reference === null)
    return { state: { ...carried, step: 'further', candidate, request: state.request, score, reference: observations } }
  const mutants = context.benchmark.mutants
  const fate = mutants ? settled(mutants, ofProgram(context), candidate, { reference, mutant: observations }) : 'survived'
  return finish(carried, context, candidate.answer, { score, fate })
}

/** Only benchmarks of programs have mutants. */
const ofProgram = (context: SampleContext) => context.case as Case

function endpointOf(responder: Responder) {
  if (responder.kind !== 'endpoint') throw new Error(`${responder.kind} is no endpoint`)
  return { name: responder.name, settings: responder.settings }
}

const questionOf = ({ messages, tools }: SampleState & { step: 'ask' }, { responder, sample }: SampleContext): Question => ({
  model: endpointOf(responder),
  messages,
  ...(tools && { tools }),
  sample,
})

export const sampleFlow: Flow<SampleContext, SampleState, SampleOutcome> = {
  start: (context) =>
    advance(
      nothing,
      // Only an endpoint can be asked again: the others have one answer.
      context.benchmark.episode.start(context.case, { ...context.options, ...(context.responder.kind !== 'endpoint' && { rounds: 0 }) }),
      context,
    ),
  resume(state, answer, context) {
    switch (state.step) {
      case 'ask':
        return afterReply(state, answer, context)
      case 'execute':
        return afterExecution(state, answer, context)
      case 'score':
        return afterScore(state, answer, context)
      case 'further':
        return afterFurther(state, answer, context)
    }
  },
  need(state, context): Need {
    const { benchmark, case: c, options } = context
    switch (state.step) {
      case 'ask':
        return { kind: 'ask', payload: questionOf(state, context) }
      case 'execute':
        return { kind: 'execute', payload: state.request }
      case 'score':
        return {
          kind: 'score',
          payload: {
            benchmark: benchmark.id,
            ...(options.policy !== undefined && { policy: options.policy }),
            case: c,
            candidate: state.candidate,
          },
        }
      case 'further':
        return { kind: 'execute', payload: furtherRequests(context, state.request)[state.reference === null ? 'reference' : 'mutant'] }
    }
  },
}
