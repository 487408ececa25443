/**
 * From a generated program to a fresh case: its calls are run twice in the scenario's world; both runs and
 * the state machine's prediction must agree, else the program is dropped with the reason; then its
 * instruction is written and verified.
 */
import {
  toJson,
  buildCallsRequest,
  formatScenarioName,
  type JsonValue,
  listWorldArtifacts,
  type Observation,
  type ProgramTranslation,
  sha256,
} from '@stateeval/contracts'
import {
  retryStep,
  type StateFlow,
  type BuildNeed,
  buildInput,
  interpret,
  type ItemAnswer,
  type FlowTransition,
  type ProgramContext,
  type ProgramEnd,
  readRunResult,
  type Scenario,
  describeTrouble,
} from '@stateeval/program'
import { compare } from '@stateeval/score'
import type { NestfulCase, NestfulTask } from '../case.ts'
import { computeGoldResults } from '../judge/world.ts'
import { type CallSequence, buildSequence } from './sequence.ts'

type CaseTruth = NonNullable<NestfulTask['truth']>
type BuiltCase = { truth: CaseTruth; runtimes: string[] }
type BuildState =
  | { step: 'first'; tries: number; retries: number }
  | ({ step: 'second'; tries: number; retries: number } & BuiltCase)
  | ({ step: 'translate'; tries: number; retries: number } & BuiltCase)
type BuildEnd = ProgramEnd<NestfulCase>
type BuildStep = FlowTransition<BuildState, BuildEnd>

const drop = (retries: number, phase: 'oracle' | 'translate', reason: string, detail: string): BuildStep => ({
  done: { status: 'dropped', phase, reason, detail: detail.slice(0, 1000), retries },
})

/** Why no program of a scenario becomes a sequence of calls; null where programs do. */
export function explainUnfit({ handles, tools }: Pick<Scenario, 'handles' | 'tools'>): string | null {
  if (handles) return 'the scenario identifies values by name'
  return tools ? null : 'the scenario has no tools'
}

export const flow: StateFlow<ProgramContext, JsonValue, BuildEnd, BuildNeed> = {
  start({ program, scenario }) {
    const reason = explainUnfit(scenario)
    if (reason !== null) return drop(0, 'oracle', reason, scenario.id) as FlowTransition<JsonValue, BuildEnd>
    const sequence = buildSequence(program)
    return 'reason' in sequence
      ? (drop(0, 'oracle', sequence.reason, program.id) as FlowTransition<JsonValue, BuildEnd>)
      : { state: { step: 'first', tries: 0, retries: 0 } }
  },
  need(state, { program, scenario, options: { translator, seed } }) {
    const sequence = buildSequence(program) as CallSequence
    if ((state as BuildState).step === 'translate')
      return { kind: 'translate', payload: toJson({ program: sequence.program, translator, seed }) }
    const { calls } = sequence
    const inputs = [buildInput(sequence.program)]
    return {
      kind: 'execute',
      payload: buildCallsRequest({ kind: 'calls', calls, binding: 'name', world: scenario.world, inputs }),
    }
  },
  resume: (state, answer, context) =>
    resumeBuild(state as BuildState, answer, context) as FlowTransition<JsonValue, BuildEnd>,
}

function resumeBuild(state: BuildState, answer: ItemAnswer, context: ProgramContext): BuildStep {
  const sequence = buildSequence(context.program) as CallSequence
  if (state.step === 'translate') return advanceTranslated(state, answer, context, sequence)
  const ran = readRunResult(answer)
  if ('trouble' in ran) {
    const { passing, says } = ran.trouble
    const reason = passing ? 'infrastructure error' : 'the execution was refused'
    return retryStep(state, ran.trouble) ?? drop(state.retries, 'oracle', reason, says)
  }
  const { observations, runtime } = ran.result
  const left = readLeftovers(observations[0], sequence)
  if ('fault' in left) return drop(state.retries, 'oracle', 'the calls do not complete', left.fault)
  const expected = state.step === 'first' ? predictLeftovers(sequence, context.scenario) : state.truth
  if ('fault' in expected)
    return drop(state.retries, 'oracle', 'the state machine predicts an error', expected.fault)
  const comparison = compare(
    { result: expected.result, world: expected.state },
    { result: left.result, world: left.state },
    context.scenario.compareFor?.(sequence.program) ?? context.scenario.compare,
  )
  if (!comparison.equal) {
    const reason = state.step === 'first' ? 'replay and prediction disagree' : 'two replays disagree'
    return drop(state.retries, 'oracle', reason, comparison.differences.map(({ says }) => says).join('; '))
  }
  const { retries } = state
  if (state.step === 'second')
    return {
      state: {
        step: 'translate',
        tries: 0,
        retries,
        truth: state.truth,
        runtimes: [...new Set([...state.runtimes, runtime])].sort(),
      },
    }
  const truth = withStableIds({
    world: context.scenario.world,
    input: buildInput(sequence.program),
    ...left,
    program: sequence.program,
  })
  return { state: { step: 'second', tries: 0, retries, truth, runtimes: [runtime] } }
}

type BuildLeftovers = Pick<CaseTruth, 'result' | 'state'> | { fault: string }

function readLeftovers(
  observation: Observation | undefined,
  { calls, result }: CallSequence,
): BuildLeftovers {
  if (!observation?.world) return { fault: 'the world could not be observed' }
  const { ending, world } = observation
  if (ending.status !== 'completed')
    return { fault: 'error' in ending ? `${ending.error.name}: ${ending.error.message}` : ending.status }
  const named = computeGoldResults({ calls, result }, ending.result as JsonValue[])
  const { missing } = (named ?? {}) as { missing?: string }
  return typeof missing === 'string' ? { fault: missing } : { result: named, state: world }
}

function predictLeftovers({ program }: CallSequence, scenario: Scenario): BuildLeftovers {
  const run = interpret(program, scenario, buildInput(program))
  return run.ok ? { result: run.result, state: run.world } : { fault: run.error }
}

/**
 * Ids that the world issued get names made from the program and their order, so that the same build gives the
 * same bytes.
 */
function withStableIds(truth: CaseTruth): CaseTruth {
  let text = JSON.stringify({ result: truth.result, state: truth.state })
  for (const [n, id] of truth.state.ids.created.entries()) {
    const name = sha256(`${truth.program.id}/${n}`)
    text = text.replaceAll(
      id,
      /^[0-9a-f]{8,64}$/.test(id) ? name.slice(0, id.length) : `created-${name.slice(0, 16)}`,
    )
  }
  return { ...truth, ...(JSON.parse(text) as Pick<CaseTruth, 'result' | 'state'>) }
}

function advanceTranslated(
  state: Extract<BuildState, { step: 'translate' }>,
  answer: ItemAnswer,
  { scenario }: ProgramContext,
  sequence: CallSequence,
): BuildStep {
  const { retries, truth, runtimes } = state
  if (!answer.ok)
    return (
      retryStep(state, describeTrouble(answer)) ??
      drop(
        retries,
        'translate',
        answer.refused ? 'the translation was refused' : 'infrastructure error',
        answer.reason,
      )
    )
  const translation = answer.value as ProgramTranslation
  if (translation.status !== 'verified')
    return drop(
      retries,
      'translate',
      'the instruction could not be verified',
      'reason' in translation ? (translation.reason ?? '') : translation.status,
    )
  return {
    done: {
      status: 'passed',
      case: buildNestfulCase(sequence, translation.instruction, truth, scenario),
      runtimes,
      retries,
    },
  }
}

/** Tools as version 2 has them; their results have whatever the API returns, which its description says. */
function buildNestfulCase(
  { program, calls, result }: CallSequence,
  instruction: string,
  truth: CaseTruth,
  scenario: Scenario,
): NestfulCase {
  const tools = (scenario.tools ?? []).map(({ name, description, parameters }) => ({
    name,
    description,
    parameters: withRequired(parameters),
    output_parameters: {},
  }))
  const artifacts = listWorldArtifacts(program.scenario)
  return {
    id: `${formatScenarioName(program.scenario)}-${program.id.slice(0, 12)}`,
    kind: 'nestful',
    group: program.scenario,
    instruction,
    ...(artifacts.length > 0 && { artifacts }),
    task: {
      form: 'scenario',
      part: program.scenario,
      calls,
      result,
      tools: JSON.stringify(tools),
      faults: [],
      truth,
    },
  }
}

/** A JSON Schema's properties with `required` at each, as specifications have it. */
function withRequired(schema: unknown): Record<string, unknown> {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, object>
    required?: readonly string[]
  }
  return Object.fromEntries(
    Object.entries(properties).map(([name, about]) => [
      name,
      { ...about, required: required.includes(name) },
    ]),
  )
}
