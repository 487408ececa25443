/** LLM-based matching: a judge says whether two calls are equivalent (section 3.1, appendix B.3). */
import type { Message, Need } from '@stateeval/contracts'
import type { Conversation } from '../conversation/conversation.ts'
import { briefly } from '../dialogue/decisions.ts'
import { answersKnown, NotScored, type Silence, silenceOf, type Talk, unexpected } from '../dialogue/talk.ts'
import { type Call, callValue } from '../functions/free.ts'
import { decodeAnswer, reasonIn } from '../judge/decode.ts'
import { matchPrompt } from '../judge/prompts.ts'
import { dumps } from '../python/write.ts'

export type ByJudge = { equal: boolean; because: string } | { absent: string }

export const callText = (call: Call) => dumps(callValue(call), { ascii: false })

/** @param before the messages before the model's, which the judge reads */
export function byJudge(
  talk: Talk,
  { functions }: Conversation,
  before: readonly Message[],
  prediction: Call,
  golden: Call,
): ByJudge {
  const question = (history: readonly Message[], predicted: Call): Need => ({
    kind: 'consult',
    role: 'judge:match',
    messages: matchPrompt({
      functions: JSON.stringify(functions),
      history: JSON.stringify(history),
      predicted: callText(predicted),
      golden: callText(golden),
    }),
    parameters: { temperature: 0 },
  })
  const opinion = talk.fact(
    () => question(before, prediction),
    (event): { equal: boolean; because: string } | { none: Silence } => {
      if (event.kind !== 'consulted') {
        const { none } = silenceOf(event) ?? unexpected(event)
        return { none: { ...none, detail: briefly(none.detail) } }
      }
      const answer = decodeAnswer(event.text)
      if (!answer) return { equal: false, because: 'its answer could not be read' }
      return { equal: answer.get('is_equal') === true, because: briefly(reasonIn(answer)) }
    },
  )
  if (!('none' in opinion)) return opinion
  const { reason, detail } = opinion.none
  if (answersKnown(talk, opinion.none, () => question([], golden))) return { equal: false, because: detail }
  if (reason !== 'not_configured') throw new NotScored(reason, detail)
  return { absent: detail }
}
