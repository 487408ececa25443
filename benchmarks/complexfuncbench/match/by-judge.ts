/** LLM-based matching: a judge says whether two calls are equivalent (section 3.1, appendix B.3). */
import type { Message, HostNeed } from '@stateeval/contracts'
import type { SampleConversation } from '../conversation/conversation.ts'
import { shortenFault } from '../dialogue/decisions.ts'
import {
  hasRefusalAnswer,
  NotScoredError,
  type PartySilence,
  findSilence,
  type ModelTalk,
  throwUnexpected,
} from '../dialogue/talk.ts'
import { type PythonCall, callValue } from '../functions/free.ts'
import { readReason } from '../judge/decode.ts'
import { matchPrompt } from '../judge/prompts.ts'
import { dumpJson } from '../python/write.ts'
import type { JudgeManner } from './manner.ts'

/** `unread`: the judge answered, but no judgement could be read. */
type ByJudge = { equal: boolean; because: string } | { unread: string } | { absent: string }

export const callText = (call: PythonCall) => dumpJson(callValue(call), { ascii: false })

interface CallQuestion {
  /** The messages before the model's, which the judge reads. */
  before: readonly Message[]
  prediction: PythonCall
  golden: PythonCall
  manner: JudgeManner
}

/** @throws NotScoredError where the judge is named and cannot be asked now */
export function judgeCallPair(
  talk: ModelTalk,
  { functions }: SampleConversation,
  { before, prediction, golden, manner }: CallQuestion,
): ByJudge {
  const question = (history: readonly Message[], predicted: PythonCall, attempt = 0): HostNeed => ({
    kind: 'consult',
    role: 'judge:match',
    ...(attempt > 0 && { attempt }),
    messages: matchPrompt({
      functions: JSON.stringify(functions),
      history: JSON.stringify(history),
      predicted: callText(predicted),
      golden: callText(golden),
    }),
    parameters: { temperature: 0 },
  })
  for (let attempt = 0; attempt < manner.attempts; attempt++) {
    const opinion = talk.fact(
      () => question(before, prediction, attempt),
      (event): { equal: boolean | null; because: string } | { none: PartySilence } => {
        if (event.kind !== 'consulted') {
          const { none } = findSilence(event) ?? throwUnexpected(event)
          return { none: { ...none, detail: shortenFault(none.detail) } }
        }
        const answer = manner.read(event.text, 'is_equal')
        const isEqual = answer && manner.opinion(answer)
        return { equal: isEqual, because: isEqual === null ? '' : shortenFault(readReason(answer!)) }
      },
    )
    if ('none' in opinion) {
      const { reason, detail } = opinion.none
      if (hasRefusalAnswer(talk, opinion.none, () => question([], golden)))
        return { equal: false, because: detail }
      if (reason !== 'not_configured') throw new NotScoredError(reason, detail)
      return { absent: detail }
    }
    const { equal, because } = opinion
    if (equal !== null) return { equal, because }
  }
  const count = manner.attempts === 1 ? 'its answer' : `any of its ${manner.attempts} answers`
  return { unread: `no judgement could be read from ${count}` }
}
