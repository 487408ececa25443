/**
 * One task as a conversation of one answer: ask, read it as each policy does, execute what has to run, done.
 */
import type {
  EpisodeEvent,
  EpisodeOptions,
  AnswerReading,
  EpisodeStatement,
  Transcript,
  EpisodeTransition,
} from '@stateeval/contracts'
import { type Episode, findNewestMessage } from '@stateeval/program'
import type { WapiiCase } from './case.ts'
import { buildDocumentation } from './prompt/documentation.ts'
import { type PromptLayout, layouts, buildLayoutMessages, buildWapiiPromptText } from './prompt/prompt.ts'
import { type StarterSetup, setups, buildStarter } from './prompt/starter.ts'
import { read } from './readings.ts'
import type { EndpointsOf } from './specification/cache.ts'

/**
 * While programs run: the place of the answer, and those of the runs that have ended. What the answer says is
 * read from the transcript again, because a state is small.
 */
type KeptRuns = {
  message: number
  runs: number[]
}
type WapiiState = null | KeptRuns
/** The program that each reading needs. */
type ExecutingState = KeptRuns & { readings: AnswerReading[]; programs: string[] }

/** A request is asked for at once, or never. */
const limits = { wallMs: 5_000, cpuSeconds: 5 }

const getStarter = ({ instruction, task }: WapiiCase, { setup = setups[0] }: EpisodeOptions) =>
  buildStarter(instruction, task, setup as StarterSetup)
const getLayout = ({ layout = layouts[0] }: EpisodeOptions) => layout as PromptLayout

export const makeEpisode = (endpointsOf: EndpointsOf): Episode<WapiiCase> => ({
  start(c, options) {
    const layout = getLayout(options)
    const documentation = buildDocumentation(c, () => endpointsOf(c), options.documentation ?? 'none')
    const text = buildWapiiPromptText(c.task.title, getStarter(c, options), layout, documentation)
    return wait(null, {
      kind: 'reply',
      role: 'model',
      transcript: 0,
      append: buildLayoutMessages(text, layout, documentation),
    })
  },
  resume,
})

function resume(
  c: WapiiCase,
  options: EpisodeOptions,
  state: WapiiState,
  event: EpisodeEvent,
  transcripts: readonly Transcript[],
): EpisodeTransition {
  const readAt = (message: number, runs: number[]): ExecutingState => {
    const text = transcripts[0]?.messages[message]?.content ?? ''
    return { message, runs, ...read(text, getStarter(c, options), getLayout(options)) }
  }
  if (event.kind === 'unavailable') {
    const { reason, detail } = event
    return {
      done: buildRequestStatement(state && readAt(state.message, state.runs)),
      notScored: { reason, detail },
    }
  }
  if (state === null && event.kind === 'replied')
    return executeNext(readAt(findNewestMessage(transcripts), []), c)
  if (state !== null && event.kind === 'executed')
    return executeNext(readAt(state.message, [...state.runs, event.run]), c)
  throw new TypeError(
    `an episode that waits for ${state === null ? 'an answer' : 'a run'} cannot continue with ${event.kind}`,
  )
}

/** Executes what has not run yet. */
function executeNext(state: ExecutingState, { task: { files } }: WapiiCase): EpisodeTransition {
  const code = state.programs[state.runs.length]
  if (code === undefined) return { done: buildRequestStatement(state) }
  const inputs = [{ variables: {}, world: files ? { files } : {} }]
  const { message, runs } = state
  return wait(
    { message, runs },
    {
      kind: 'execute',
      request: { kind: 'code', language: 'javascript', code, world: 'axios-capture', inputs, limits },
    },
  )
}

function buildRequestStatement(state: ExecutingState | null): EpisodeStatement {
  if (state === null) return { kind: 'program', attempts: [] }
  const { message, readings, runs } = state
  return {
    kind: 'program',
    attempts: [
      {
        message,
        readings: readings.map((one) => ({ ...one, run: one.run === null ? null : (runs[one.run] ?? null) })),
      },
    ],
  }
}

type WaitingTurn = Extract<EpisodeTransition, { need: unknown }>
const wait = (state: WapiiState, need: WaitingTurn['need']): EpisodeTransition => ({ state, need })
