/**
 * Another model's explanation of one failed sample: one question. If it cannot be asked, that is the
 * outcome.
 */
import type { Message, SecondOpinion, Usage } from '@stateeval/contracts'
import {
  type AnsweredQuestion,
  noUsage,
  type ModelQuestion,
  describeSilence,
  type UnansweredQuestion,
} from '@stateeval/models'
import type { OpinionSupport } from '@stateeval/program'
import type { EndpointModel } from './endpoint.ts'
import type { SuiteFlow } from './flow.ts'

export interface OpinionContext {
  by: EndpointModel
  messages: Message[]
  read: OpinionSupport['read']
}
/** There is only one state: the question follows from the sample. */
export interface OpinionState {
  step: 'ask'
}
export interface OpinionOutcome {
  opinion: SecondOpinion
  usage: Usage
  retries: number
  kept: number
  repeated: number
  storeKeys?: string[]
  unanswered?: UnansweredQuestion[]
}

/** Failures that look the same are one question. */
const buildOpinionQuestion = ({ by: { name, settings }, messages }: OpinionContext): ModelQuestion => ({
  model: { name, settings },
  messages,
  sample: 0,
})

export const opinionFlow: SuiteFlow<OpinionContext, OpinionState, OpinionOutcome> = {
  start: () => ({ state: { step: 'ask' } }),
  resume(_, answer, context) {
    if (!answer.ok) {
      const { reason } = answer
      const unanswered = [describeSilence(buildOpinionQuestion(context), answer)]
      return {
        done: { opinion: { absent: reason }, usage: noUsage, retries: 0, kept: 0, repeated: 0, unanswered },
      }
    }
    const { text, usage, retries, repeated, storeKey, kept } = answer.value as AnsweredQuestion
    return {
      done: {
        opinion: context.read(text),
        usage,
        retries,
        kept: kept ? 1 : 0,
        repeated,
        storeKeys: [storeKey],
      },
    }
  },
  need: (_, context) => ({ kind: 'ask', payload: buildOpinionQuestion(context) }),
}
