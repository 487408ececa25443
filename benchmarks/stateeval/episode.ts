/**
 * One test case as a conversation: ask, take the code out of the answer, execute it on every input. Under
 * `reflect` a program that fails by itself is shown its error and asked for again.
 */
import {
  type Case,
  type EpisodeEvent,
  type EpisodeOptions,
  type ExecutionInput,
  type Language,
  maxCode,
  type Message,
  type HostNeed,
  type Observation,
  type EpisodeStatement,
  type Transcript,
  type EpisodeTransition,
} from '@stateeval/contracts'
import { readProgram } from '@stateeval/answers'
import { type BenchmarkHost, type Episode, findNewestMessage } from '@stateeval/program'
import { buildFeedback } from './prompt/feedback.ts'
import { buildProgramPrompt } from './prompt/prompt.ts'

type ProgramAttempts = Extract<EpisodeStatement, { kind: 'program' | 'calls' }>['attempts']

/** State that the host keeps: small, so the code is read from the transcript again. */
type AttemptState = {
  /** Ended attempts without their code; while one is executed, that one without its run. */
  attempts: ProgramAttempts
  /** Further questions that may follow. */
  left: number
  executing?: true
}

const defaultRounds = 2

/** The languages of its programs; the first one where the options name none. */
export const getLanguage = ({ language = 'javascript' }: EpisodeOptions): Language => language

function listPlayedCaseInputs(c: Case, { inputs, only }: EpisodeOptions): readonly ExecutionInput[] {
  const caseInputs = inputs ?? c.oracles.map(({ input }) => input)
  return only ? caseInputs.filter((_, at) => only.includes(at)) : caseInputs
}

export const makeEpisode = (host: BenchmarkHost): Episode<Case> => ({
  start(c, options) {
    const { prompting, rounds = defaultRounds } = options
    const messages = buildProgramPrompt(c, host.scenario(c.scenario), options)
    return askAgain({ attempts: [], left: prompting === 'reflect' ? rounds : 0 }, messages)
  },
  resume: (c, options, state, event, transcripts) =>
    resume(host, c, options, state as AttemptState, event, transcripts),
})

function resume(
  host: BenchmarkHost,
  c: Case,
  options: EpisodeOptions,
  state: AttemptState,
  event: EpisodeEvent,
  transcripts: readonly Transcript[],
): EpisodeTransition {
  const { left } = state
  const attempts = withCode(state.attempts, transcripts, getLanguage(options))
  const candidate: EpisodeStatement = { kind: 'program', attempts }
  if (event.kind === 'unavailable') {
    const { reason, detail } = event
    // A model without a further answer is scored by its earlier ones; so is one whose own words fill the
    // context.
    return (reason === 'exhausted' || reason === 'context') && attempts.length > 0 && !state.executing
      ? { done: candidate }
      : { done: candidate, notScored: { reason, detail } }
  }
  if (event.kind === 'replied' && !state.executing) {
    const message = findNewestMessage(transcripts)
    const language = getLanguage(options)
    const extraction = readProgram(event.text, language)
    if ('none' in extraction)
      return endAttempt(
        { attempts, left },
        { message, readings: [{ policy: null, none: extraction.none, run: null }] },
        buildFeedback({ none: extraction.none }, language),
      )
    const { code } = extraction
    if (code.length > maxCode) {
      const none = `the code is longer than ${maxCode} characters`
      const observation = createNeverRun(none)
      const feedback = buildFeedback({ code, observations: [observation] }, language)
      const reading = { policy: null, code, none, run: null }
      return endAttempt({ attempts, left }, { message, readings: [reading] }, feedback)
    }
    const attempt = { message, readings: [{ policy: null, code, run: null }] }
    const limits = host.scenario(c.scenario).limitsFor?.(c.program, language)
    const request = {
      kind: 'code' as const,
      language,
      code,
      world: c.world,
      inputs: listPlayedCaseInputs(c, options),
      ...(limits && { limits }),
    }
    return wait({ attempts: [...attempts, attempt], left, executing: true }, { kind: 'execute', request })
  }
  const attempt = attempts.at(-1)
  const code = attempt?.readings[0]?.code
  if (event.kind === 'executed' && state.executing && attempt && code !== undefined) {
    const { run, result } = event
    const ran = { message: attempt.message, readings: [{ policy: null, code, run }] }
    return endAttempt(
      { attempts: attempts.slice(0, -1), left },
      ran,
      buildFeedback({ code, observations: result.observations }, getLanguage(options)),
    )
  }
  throw new TypeError(
    `an episode that waits for ${state.executing ? 'a run' : 'an answer'} cannot continue with ${event.kind}`,
  )
}

/** An attempt has ended: the last one, or one that failed visibly and is shown its error. */
function endAttempt(
  { attempts, left }: AttemptState,
  attempt: ProgramAttempts[number],
  feedback: string | null,
): EpisodeTransition {
  const all = [...attempts, attempt]
  if (left === 0 || feedback === null) return { done: { kind: 'program', attempts: all } }
  return askAgain({ attempts: all, left: left - 1 }, [{ role: 'user', content: feedback }])
}

const askAgain = (state: AttemptState, append: Message[]): EpisodeTransition =>
  wait(state, { kind: 'reply', role: 'model', transcript: 0, append })
const wait = (state: AttemptState, need: HostNeed): EpisodeTransition => ({
  state: { ...state, attempts: removeCode(state.attempts) },
  need,
})

const removeCode = (attempts: ProgramAttempts): ProgramAttempts =>
  attempts.map(({ message, readings }) => ({
    message,
    readings: readings.map(({ code: _, ...reading }) => reading),
  }))

/** The attempts with the code of their answers. */
function withCode(
  attempts: ProgramAttempts,
  transcripts: readonly Transcript[],
  language: Language,
): ProgramAttempts {
  return attempts.map(({ message, readings }) => {
    const extraction = readProgram(transcripts[0]?.messages[message]?.content ?? '', language)
    const code = 'none' in extraction ? undefined : extraction.code
    return {
      message,
      readings: readings.map(({ policy, none, run }) => ({
        policy,
        ...(code !== undefined && { code }),
        ...(none !== undefined && { none }),
        run,
      })),
    }
  })
}

/** Creates the observation of a run that was refused before it began. */
export const createNeverRun = (message: string): Observation => ({
  ending: { status: 'refused', reason: 'syntax', error: { name: 'SyntaxError', message } },
  world: null,
  log: [],
  output: '',
  faults: [],
  wallMs: 0,
  sandbox: 'none',
})
