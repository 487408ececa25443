/** LLM-based matching: a judge says whether two calls are equivalent (section 3.1, appendix B.3). */
import type { Message } from '@stateeval/contracts'
import type { Conversation } from '../conversation/conversation.ts'
import { briefly } from '../dialogue/decisions.ts'
import { NotScored, type Silence, silenceOf, type Talk, unexpected } from '../dialogue/talk.ts'
import { type Call, callValue } from '../functions/free.ts'
import { decodeAnswer, reasonIn } from '../judge/decode.ts'
import { matchPrompt } from '../judge/prompts.ts'
import { dumps } from '../python/write.ts'

export type ByJudge = { equal: boolean; because: string } | { absent: string }

export const callText = (call: Call) => dumps(callValue(call), { ascii: false })

/** @param before the messages before the model's, which the judge reads */
export function byJudge(
  { fact }: Talk,
  { functions }: Conversation,
  before: readonly Message[],
  prediction: Call,
  golden: Call,
): ByJudge {
  const messages = () =>
    matchPrompt({
      functions: JSON.stringify(functions),
      history: JSON.stringify(before),
      predicted: callText(prediction),
      golden: callText(golden),
    })
  const opinion = fact(
    () => ({ kind: 'consult', role: 'judge:match', messages: messages(), parameters: { temperature: 0 } }),
    (event): { equal: boolean; because: string } | { none: Silence } => {
      if (event.kind !== 'consulted') {
        const { none } = silenceOf(event) ?? unexpected(event)
        // A judge that refuses, such as for its length, finds no match.
        return none.reason === 'refused' ? { equal: false, because: briefly(none.detail) } : { none }
      }
      const answer = decodeAnswer(event.text)
      if (!answer) return { equal: false, because: 'its answer could not be read' }
      return { equal: answer.get('is_equal') === true, because: briefly(reasonIn(answer)) }
    },
  )
  if (!('none' in opinion)) return opinion
  const { reason, detail } = opinion.none
  if (reason !== 'not_configured') throw new NotScored(reason, detail)
  return { absent: detail }
}
