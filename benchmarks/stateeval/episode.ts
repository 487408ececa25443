/**
 * One test case as a conversation: ask, take the code out of the answer, execute it on every input. Under `reflect` a
 * program that fails by itself is shown its error and asked for again.
 */
import type {
  Attempt,
  Candidate,
  Case,
  EpisodeEvent,
  EpisodeOptions,
  Input,
  Json,
  Language,
  Message,
  Observation,
  Turn,
} from '@stateeval/contracts'
import type { BenchmarkHost, Episode } from '@stateeval/program'
import { extract } from './answer/extract.ts'
import { mayShow } from './prompt/examples.ts'
import { feedbackFor } from './prompt/feedback.ts'
import { promptFor } from './prompt/prompt.ts'

/** What the host keeps between steps: all that is needed to go on. */
type State = About & ({ step: 'answer' } | { step: 'execution'; answer: string; code: string })
interface About {
  language: Language
  world: string
  inputs: Input[]
  /** There only where another question may follow. */
  again?: { left: number; messages: Message[]; earlier: Attempt[] }
}

/** The longest code that an execution takes, in characters. */
const longestCode = 1_000_000
const usualRounds = 2

export const makeEpisode = (host: BenchmarkHost): Episode<Case> => ({
  start: (c, options) => start(c, options, host),
  resume: (state, event) => resume(state as unknown as State, event),
  mayShow,
})

function start(c: Case, options: EpisodeOptions, host: BenchmarkHost): Turn {
  const messages = promptFor(c, host.scenario(c.scenario), options)
  const { language, prompting, rounds = usualRounds } = options
  const about: About = {
    language,
    world: c.world,
    inputs: c.oracles.map(({ input }) => input),
    ...(prompting === 'reflect' && rounds > 0 && { again: { left: rounds, messages, earlier: [] } }),
  }
  return wait({ ...about, step: 'answer' }, { kind: 'reply', messages })
}

function resume(state: State, event: EpisodeEvent): Turn {
  const earlier = state.again?.earlier.length ? { earlier: state.again.earlier } : {}
  if (event.kind === 'unavailable') {
    const [answer, code] = state.step === 'answer' ? [null, null] : [state.answer, state.code]
    return { done: { answer, code, observations: [], ...earlier, unavailable: event.reason } }
  }
  if (state.step === 'answer' && event.kind === 'reply') {
    const { step: _, ...about } = state
    const found = extract(event.text, state.language)
    if ('none' in found) return ended(about, { answer: event.text, code: null, noCode: found.none, observations: [] })
    const { code } = found
    if (code.length > longestCode) return ended(about, { answer: event.text, code, observations: state.inputs.map(() => tooLong) })
    const { language, world, inputs } = about
    return wait({ ...about, step: 'execution', answer: event.text, code }, { kind: 'execute', request: { language, code, world, inputs } })
  }
  if (state.step === 'execution' && event.kind === 'executed') {
    const { step: _, answer, code, ...about } = state
    return ended(about, { answer, code, observations: event.result.observations })
  }
  throw new TypeError(`an episode that waits for an ${state.step} can’t go on with ${event.kind}`)
}

/** An attempt is there: the last one, or one that failed visibly and is shown its error. */
function ended(about: About, attempt: Attempt): Turn {
  const { again, language } = about
  const feedback = again && again.left > 0 ? feedbackFor(attempt, language) : null
  if (!again || feedback === null) {
    const done: Candidate = { ...attempt, ...(again?.earlier.length && { earlier: again.earlier }) }
    return { done }
  }
  const messages: Message[] = [...again.messages, { role: 'assistant', content: attempt.answer ?? '' }, { role: 'user', content: feedback }]
  const next = { left: again.left - 1, messages, earlier: [...again.earlier, attempt] }
  return wait({ ...about, again: next, step: 'answer' }, { kind: 'reply', messages })
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
