/** One test case as a conversation: ask, take the code out of the answer, execute it on every input. */
import type { Candidate, Case, EpisodeEvent, EpisodeOptions, Input, Json, Language, Observation, Turn } from '@stateeval/contracts'
import type { BenchmarkHost, Episode } from '@stateeval/program'
import { extract } from './extract.ts'
import { promptFor } from './prompt.ts'

/** What the host keeps between steps: all that is needed to go on. */
type State = { step: 'answer'; language: Language; world: string; inputs: Input[] } | { step: 'execution'; answer: string; code: string }

/** The longest code that an execution takes, in characters. */
const longestCode = 1_000_000

export const makeEpisode = (host: BenchmarkHost): Episode => ({
  start: (c, options) => start(c, options, host.scenario(c.scenario).documentation(options.language)),
  resume: (state, event) => resume(state as unknown as State, event),
})

function start(c: Case, { language, prompting }: EpisodeOptions, documentation: string): Turn {
  const messages = promptFor(c, documentation, language, prompting)
  return wait({ step: 'answer', language, world: c.world, inputs: c.oracles.map(({ input }) => input) }, { kind: 'reply', messages })
}

function resume(state: State, event: EpisodeEvent): Turn {
  const so: Candidate =
    state.step === 'answer' ? { answer: null, code: null, observations: [] } : { answer: state.answer, code: state.code, observations: [] }
  if (event.kind === 'unavailable') return { done: { ...so, unavailable: event.reason } }
  if (state.step === 'answer' && event.kind === 'reply') {
    const { language, world, inputs } = state
    const code = extract(event.text, language)
    if (code === null) return { done: { answer: event.text, code: null, observations: [] } }
    if (code.length > longestCode) return { done: { answer: event.text, code, observations: inputs.map(() => tooLong) } }
    return wait({ step: 'execution', answer: event.text, code }, { kind: 'execute', request: { language, code, world, inputs } })
  }
  if (state.step === 'execution' && event.kind === 'executed') return { done: { ...so, observations: event.result.observations } }
  throw new TypeError(`an episode that waits for an ${state.step} can’t go on with ${event.kind}`)
}

type Waiting = Extract<Turn, { need: unknown }>
const wait = (state: State, need: Waiting['need']): Turn => ({ state: state as unknown as Json, need })

const tooLong: Observation = {
  ending: {
    status: 'refused',
    reason: 'syntax',
    error: { name: 'SyntaxError', message: `the code is longer than ${longestCode} characters` },
  },
  world: null,
  log: [],
  output: '',
  faults: [],
  wallMs: 0,
  sandbox: 'none',
}
