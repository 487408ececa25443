/**
 * An item of a build: the flow from a program to a test case, defined by the benchmark. Here its parts get
 * their models, and the cost of questions is carried next to its state.
 */
import { type JsonValue, getOwnMember, type ModelPrices, type Usage } from '@stateeval/contracts'
import {
  addUsage,
  type AnsweredQuestion,
  computeCostUsd,
  noUsage,
  type ModelQuestion,
  describeSilence,
  type UnansweredQuestion,
} from '@stateeval/models'
import type {
  AgentPart,
  BenchmarkBuild,
  BuildNeed,
  ProgramContext as Context,
  ProgramEnd,
} from '@stateeval/program'
import type { BuildAgents } from './endpoint.ts'
import type { SuiteFlow, ItemAnswer, ItemNeed, FlowTransition } from './flow.ts'

/**
 * The usage of a program's questions, by model, and the location of the answers. States carry it, and the
 * owner sums it.
 */
interface QuestionUse {
  usage: Usage
  /** Usage by model. */
  by: Readonly<Record<string, Usage>>
  storeKeys: readonly string[]
  unanswered?: readonly UnansweredQuestion[]
}
const noAsking: QuestionUse = { usage: noUsage, by: {}, storeKeys: [] }

const addAnswerUse = (
  { usage, by, storeKeys, ...rest }: QuestionUse,
  model: string,
  answer: AnsweredQuestion,
): QuestionUse => ({
  ...rest,
  usage: addUsage(usage, answer.usage),
  by: { ...by, [model]: addUsage(getOwnMember(by, model) ?? noUsage, answer.usage) },
  storeKeys: [...storeKeys, answer.storeKey],
})
const addSilenceUse = (asking: QuestionUse, silence: UnansweredQuestion): QuestionUse => ({
  ...asking,
  unanswered: [...(asking.unanswered ?? []), silence],
})

/** The total cost, in US dollars; null if a model without prices was asked. */
export function sumCosts(
  askings: readonly Pick<QuestionUse, 'by'>[],
  pricesOf: (model: string) => ModelPrices | undefined,
): number | null {
  let sum = 0
  for (const { by } of askings)
    for (const [model, usage] of Object.entries(by)) {
      const cost = usage.requests === 0 ? 0 : computeCostUsd(usage, pricesOf(model))
      if (cost === null) return null
      sum += cost
    }
  return sum
}

export interface ProgramFlowContext extends Context {
  build: BenchmarkBuild
  /** The models behind the parts, where agents translate. */
  models?: Pick<BuildAgents, AgentPart>
}
export interface ProgramState {
  build: JsonValue
  /** There once a question was asked. */
  asking?: QuestionUse
}
export type ProgramOutcome = ProgramEnd & { usage?: Usage; asking?: QuestionUse }

function buildProgramQuestion(
  { part, messages, sample }: BuildNeed & { kind: 'ask' },
  context: ProgramFlowContext,
): ModelQuestion {
  if (!context.models) throw new Error('no models are named for the agents')
  return { model: context.models[part], messages, sample }
}

const carryQuestionUse = (
  next: FlowTransition<JsonValue, ProgramEnd>,
  asking: QuestionUse | undefined,
): FlowTransition<ProgramState, ProgramOutcome> =>
  'done' in next
    ? { done: { ...next.done, ...(asking && { asking, usage: asking.usage }) } }
    : { ...next, state: { build: next.state, ...(asking && { asking }) } }

/** Adds a question and its answer to those asked. */
function withAnswer(asking: QuestionUse, question: ModelQuestion, answer: ItemAnswer): QuestionUse {
  if (!answer.ok) return addSilenceUse(asking, describeSilence(question, answer))
  return addAnswerUse(asking, question.model.name, answer.value as AnsweredQuestion)
}

export const programFlow: SuiteFlow<ProgramFlowContext, ProgramState, ProgramOutcome> = {
  start: (context) => carryQuestionUse(context.build.flow.start(context), undefined),
  resume({ build, asking }, answer, context) {
    const { flow } = context.build
    const need = flow.need(build, context)
    const after =
      need.kind === 'ask'
        ? withAnswer(asking ?? noAsking, buildProgramQuestion(need, context), answer)
        : asking
    return carryQuestionUse(flow.resume(build, answer, context), after)
  },
  need({ build }, context): ItemNeed {
    const need = context.build.flow.need(build, context)
    return need.kind === 'ask' ? { kind: 'ask', payload: buildProgramQuestion(need, context) } : need
  },
}
