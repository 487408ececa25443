/**
 * One sample of one case: the benchmark's episode is led to a candidate, the candidate is scored, and a mutant's fate
 * is settled. Infrastructure errors are tried again, then the sample is not scored; they never count against a model.
 */
import type { Case, EpisodeEvent, ExecutionRequest, ExecutionResult, Json, Score, Turn } from '@stateeval/contracts'
import { addUsage, answerKey } from '@stateeval/models'
import { createRng } from '@stateeval/program'
import type { Answered, Question } from '../asking/question.ts'
import { addCounts, countBy } from '../counts.ts'
import { again, type Answer, type Flow, type Need, ranIn, troubleOf } from './flow.ts'
import { fateWhenFailed, furtherRequests, settled } from './mutant.ts'
import {
  type Carried,
  carriedOf,
  type End,
  finish,
  nothing,
  type Responder,
  type SampleContext,
  type SampleOutcome,
  type SampleState,
  type Step,
} from './sample.ts'

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
  const { text, toolCalls, usage, retries, repeated, place, kept, finish } = answer.value as unknown as Answered
  const carried: Carried = {
    ...carriedOf(state),
    usage: addUsage(state.usage, usage),
    retries: state.retries + retries,
    places: [...(state.places ?? []), place],
    kept: (state.kept ?? 0) + (kept ? 1 : 0),
    repeated: (state.repeated ?? 0) + repeated,
    cut: (state.cut ?? 0) + (finish === 'length' ? 1 : 0),
    finish,
  }
  return resumed(state, { kind: 'reply', text, ...(toolCalls && { toolCalls }) }, carried, context)
}

function afterExecution(state: SampleState & { step: 'execute' }, answer: Answer, context: SampleContext): Step {
  const ran = ranIn(answer)
  if ('trouble' in ran) {
    const { says, passing } = ran.trouble
    const carried = { ...carriedOf(state), ...(passing && { passing: true as const }) }
    return again(state, ran.trouble) ?? resumed(state, { kind: 'unavailable', reason: `infrastructure error: ${says}` }, carried, context)
  }
  const next = resumed(state, { kind: 'executed', result: ran.result }, withRuns(carriedOf(state), ran.result), context)
  // A surviving mutant's code runs again on further inputs.
  if ('state' in next && next.state.step === 'score') return { state: { ...next.state, request: state.request } }
  return next
}

function afterScore(state: SampleState & { step: 'score' }, answer: Answer, context: SampleContext): Step {
  const carried = carriedOf(state)
  const { candidate, request } = state
  const { mutants } = context.benchmark
  const ended = (end: End) => finish(carried, context, candidate.answer, end)
  if (!answer.ok) {
    const trouble = troubleOf(answer)
    return again(state, trouble) ?? ended({ notScored: `the score could not be had: ${trouble.says}`, passing: trouble.passing })
  }
  const score = answer.value as unknown as Score
  if (score.verdict === 'infrastructure_error') return ended({ notScored: 'infrastructure error', passing: true })
  if (!state.mutant || !mutants) return ended({ score })
  if (!score.passed) return ended({ score, fate: fateWhenFailed(mutants, ofProgram(context), candidate, score) })
  if (request === null) return ended({ score, fate: 'survived' })
  return { state: { ...carried, step: 'further', candidate, request, score, reference: null } }
}

function afterFurther(state: SampleState & { step: 'further' }, answer: Answer, context: SampleContext): Step {
  const { candidate, score, reference } = state
  const ran = ranIn(answer)
  if ('trouble' in ran) {
    const notScored = `infrastructure error: ${ran.trouble.says}`
    return again(state, ran.trouble) ?? finish(carriedOf(state), context, candidate.answer, { notScored })
  }
  const { observations } = ran.result
  const carried = withRuns(carriedOf(state), ran.result)
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

/** The longest run that execution's contract takes, in seconds. */
const longestRun = 600

/** The request with the evaluation's time limit; CPU time is that of all inputs together. */
function limited(request: ExecutionRequest, seconds: number | undefined): ExecutionRequest {
  if (seconds === undefined) return request
  const cpuSeconds = Math.min(longestRun, Math.ceil(seconds * request.inputs.length))
  return { ...request, limits: { ...request.limits, wallMs: Math.round(seconds * 1000), cpuSeconds } }
}

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
        return { kind: 'execute', payload: limited(state.request, options.timeLimit) }
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
        return {
          kind: 'execute',
          payload: limited(furtherRequests(context, state.request)[state.reference === null ? 'reference' : 'mutant'], options.timeLimit),
        }
    }
  },
}
