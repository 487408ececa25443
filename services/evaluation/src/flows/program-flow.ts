/**
 * A program's way to a test case, as the benchmark's own build leads it. Here the parts that it asks get their models, and
 * what questions cost is carried beside its state.
 */
import type { Json, Usage } from '@stateeval/contracts'
import { type Answered, type Question, silenceOf } from '@stateeval/models'
import type { AgentPart, Build, BuildNeed, ProgramContext as Context, ProgramEnd } from '@stateeval/program'
import type { BuildAgents } from '../choice.ts'
import { type Asking, noAsking, plusAnswer, plusSilence } from './asking.ts'
import type { Flow, ItemAnswer, ItemNeed, Next } from './flow.ts'

export interface ProgramContext extends Context {
  build: Build
  /** The models behind the parts, where agents translate. */
  models?: Pick<BuildAgents, AgentPart>
}
interface ProgramState {
  build: Json
  /** There once a question was asked. */
  asking?: Asking
}
export type ProgramOutcome = ProgramEnd & { usage?: Usage; asking?: Asking }

function questionOf(
  { part, messages, sample }: BuildNeed & { kind: 'ask' },
  context: ProgramContext,
): Question {
  if (!context.models) throw new Error('agents are asked where models are named')
  return { model: context.models[part], messages, sample }
}

const carried = (
  next: Next<Json, ProgramEnd>,
  asking: Asking | undefined,
): Next<ProgramState, ProgramOutcome> =>
  'done' in next
    ? { done: { ...next.done, ...(asking && { asking, usage: asking.usage }) } }
    : { ...next, state: { build: next.state, ...(asking && { asking }) } }

/** What has been asked, with the answer to this question. */
function asked(asking: Asking, question: Question, answer: ItemAnswer): Asking {
  if (!answer.ok) return plusSilence(asking, silenceOf(question, answer))
  return plusAnswer(asking, question.model.name, answer.value as unknown as Answered)
}

export const programFlow: Flow<ProgramContext, ProgramState, ProgramOutcome> = {
  start: (context) => carried(context.build.flow.start(context), undefined),
  resume({ build, asking }, answer, context) {
    const { flow } = context.build
    const need = flow.need(build, context)
    const after = need.kind === 'ask' ? asked(asking ?? noAsking, questionOf(need, context), answer) : asking
    return carried(flow.resume(build, answer, context), after)
  },
  need({ build }, context): ItemNeed {
    const need = context.build.flow.need(build, context)
    return need.kind === 'ask' ? { kind: 'ask', payload: questionOf(need, context) } : need
  },
}
