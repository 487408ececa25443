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
import { type Episode, newestMessage } from '@stateeval/program'
import type { WapiiCase } from './case.ts'
import { documentationOf } from './prompt/documentation.ts'
import { type Layout, layouts, messagesOf, promptText } from './prompt/prompt.ts'
import { type Setup, setups, starterOf } from './prompt/starter.ts'
import { read } from './readings.ts'
import type { EndpointsOf } from './specification/cache.ts'

/**
 * While programs run: the place of the answer, and those of the runs that have ended. What the answer says is
 * read from the transcript again, because a state is small.
 */
type Kept = {
  message: number
  runs: number[]
}
type State = null | Kept
/** Which reading needs which program. */
type Executing = Kept & { readings: AnswerReading[]; programs: string[] }

/** A request is asked for at once, or never. */
const limits = { wallMs: 5_000, cpuSeconds: 5 }

const starterFor = ({ instruction, task }: WapiiCase, { setup = setups[0] }: EpisodeOptions) =>
  starterOf(instruction, task, setup as Setup)
const layoutFor = ({ layout = layouts[0] }: EpisodeOptions) => layout as Layout

export const makeEpisode = (endpointsOf: EndpointsOf): Episode<WapiiCase> => ({
  start(c, options) {
    const layout = layoutFor(options)
    const documentation = documentationOf(c, () => endpointsOf(c), options.documentation ?? 'none')
    const text = promptText(c.task.title, starterFor(c, options), layout, documentation)
    return wait(null, {
      kind: 'reply',
      role: 'model',
      transcript: 0,
      append: messagesOf(text, layout, documentation),
    })
  },
  resume,
})

function resume(
  c: WapiiCase,
  options: EpisodeOptions,
  state: State,
  event: EpisodeEvent,
  transcripts: readonly Transcript[],
): EpisodeTransition {
  const readAt = (message: number, runs: number[]): Executing => {
    const text = transcripts[0]?.messages[message]?.content ?? ''
    return { message, runs, ...read(text, starterFor(c, options), layoutFor(options)) }
  }
  if (event.kind === 'unavailable') {
    const { reason, detail } = event
    return { done: saidIn(state && readAt(state.message, state.runs)), notScored: { reason, detail } }
  }
  if (state === null && event.kind === 'replied') return next(readAt(newestMessage(transcripts), []), c)
  if (state !== null && event.kind === 'executed')
    return next(readAt(state.message, [...state.runs, event.run]), c)
  throw new TypeError(
    `an episode that waits for ${state === null ? 'an answer' : 'a run'} cannot continue with ${event.kind}`,
  )
}

/** Executes what has not run yet. */
function next(state: Executing, { task: { files } }: WapiiCase): EpisodeTransition {
  const code = state.programs[state.runs.length]
  if (code === undefined) return { done: saidIn(state) }
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

function saidIn(state: Executing | null): EpisodeStatement {
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

type Waiting = Extract<EpisodeTransition, { need: unknown }>
const wait = (state: State, need: Waiting['need']): EpisodeTransition => ({ state, need })
