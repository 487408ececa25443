/** One task as a conversation of one answer: ask, read it as each policy does, execute what has to run, done. */
import type { Candidate, EpisodeEvent, EpisodeOptions, Json, Observation, Reading, Turn } from '@stateeval/contracts'
import type { Episode } from '@stateeval/program'
import type { WapiiCase } from './case.ts'
import { documentationOf } from './prompt/documentation.ts'
import { type Layout, layouts, messagesOf, promptText } from './prompt/prompt.ts'
import { type Setup, setups, starterOf } from './prompt/starter.ts'
import { read } from './readings.ts'
import type { EndpointsOf } from './specification/shelf.ts'

type State =
  | { step: 'answer'; starter: string; layout: Layout }
  | { step: 'execution'; answer: string; readings: Reading[]; programs: string[]; observations: Observation[] }

/** A request is asked for at once, or never. */
const limits = { wallMs: 5_000, cpuSeconds: 5 }

export const makeEpisode = (endpointsOf: EndpointsOf): Episode<WapiiCase> => ({
  start: (c, options) => start(c, options, endpointsOf),
  resume: (state, event) => resume(state as unknown as State, event),
})

function start(
  c: WapiiCase,
  { setup = setups[0], layout = layouts[0], documentation: mode = 'none' }: EpisodeOptions,
  endpointsOf: EndpointsOf,
): Turn {
  const starter = starterOf(c.instruction, c.task, setup as Setup)
  const documentation = documentationOf(c, () => endpointsOf(c), mode)
  const messages = messagesOf(promptText(c.task.title, starter, layout as Layout, documentation), layout as Layout, documentation)
  return wait({ step: 'answer', starter, layout: layout as Layout }, { kind: 'reply', messages })
}

function resume(state: State, event: EpisodeEvent): Turn {
  if (event.kind === 'unavailable') {
    const answer = state.step === 'answer' ? null : state.answer
    return { done: { answer, code: null, observations: [], unavailable: event.reason } }
  }
  if (state.step === 'answer' && event.kind === 'reply') {
    const found = read(event.text, state.starter, state.layout)
    return next({ step: 'execution', answer: event.text, ...found, observations: [] })
  }
  if (state.step === 'execution' && event.kind === 'executed')
    return next({ ...state, observations: [...state.observations, ...event.result.observations.slice(0, 1)] })
  throw new TypeError(`an episode that waits for an ${state.step} can’t go on with ${event.kind}`)
}

function next(state: State & { step: 'execution' }): Turn {
  const { answer, readings, programs, observations } = state
  const code = programs[observations.length]
  if (code !== undefined)
    return wait(state, {
      kind: 'execute',
      request: { language: 'javascript', code, world: 'axios-capture', inputs: [{ variables: {}, world: {} }], limits },
    })
  const shown = readings.find((one) => one.run !== null)?.code ?? readings.find((one) => one.code !== null)?.code ?? null
  const noCode = readings.find((one) => one.noCode !== undefined)?.noCode
  const done: Candidate = { answer, code: shown, ...(shown === null && noCode !== undefined && { noCode }), observations, readings }
  return { done }
}

type Waiting = Extract<Turn, { need: unknown }>
const wait = (state: State, need: Waiting['need']): Turn => ({ state: state as unknown as Json, need })
