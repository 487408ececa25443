/** An item of a build: the generation of one scenario's programs. */
import type {
  BuildOptions,
  Difficulty,
  GenerateResult,
  JsonValue,
  ScenarioOptions,
} from '@stateeval/contracts'
import { type SuiteFlow, type ItemAnswer, type FlowTransition, pauses } from './flow.ts'

interface GenerationContext {
  scenario: string
  /** Options that the scenario knows. */
  scenarioOptions?: ScenarioOptions
  options: BuildOptions
  difficulty?: Difficulty
}
interface GenerationState {
  tries: number
}
export type GenerationOutcome = { ok: true; result: GenerateResult } | { ok: false; reason: string }

const dialNames = [
  'length',
  'branches',
  'pathDepth',
  'bindings',
  'distractors',
  'difficulty',
  'apis',
] as const
/** The options that determine how difficult the programs are, as far as they are set. */
const pickDifficulty = (options: BuildOptions) =>
  Object.fromEntries(
    dialNames.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  )

export const generationFlow: SuiteFlow<GenerationContext, GenerationState, GenerationOutcome> = {
  start: () => ({ state: { tries: 0 } }),
  resume(state, answer: ItemAnswer): FlowTransition<GenerationState, GenerationOutcome> {
    if (answer.ok) return { done: { ok: true, result: answer.value as GenerateResult } }
    if (answer.refused || state.tries >= pauses.length) return { done: { ok: false, reason: answer.reason } }
    return { state: { tries: state.tries + 1 }, afterMs: pauses[state.tries] ?? 0 }
  },
  need(_, { scenario, scenarioOptions, options, difficulty }) {
    const { programs, seed, strategy, controlFlow, secondWorlds } = options
    const request = {
      scenario,
      count: programs,
      seed,
      strategy,
      controlFlow,
      secondWorlds,
      ...pickDifficulty(options),
      ...difficulty,
      ...(scenarioOptions && { scenarioOptions }),
    }
    return { kind: 'generate', payload: { options: request } as JsonValue }
  },
}
