/** LLM-based matching: a judge says whether two calls are equivalent (section 3.1, appendix B.3). */
import type { Message, HostNeed } from '@stateeval/contracts'
import type { Conversation } from '../conversation/conversation.ts'
import { briefly } from '../dialogue/decisions.ts'
import { answersKnown, NotScored, type Silence, silenceOf, type Talk, unexpected } from '../dialogue/talk.ts'
import { type Call, callValue } from '../functions/free.ts'
import { reasonIn } from '../judge/decode.ts'
import { matchPrompt } from '../judge/prompts.ts'
import { dumps } from '../python/write.ts'
import type { JudgeManner } from './manner.ts'

/** `unread`: the judge answered, but no judgement could be read. */
export type ByJudge = { equal: boolean; because: string } | { unread: string } | { absent: string }

export const callText = (call: Call) => dumps(callValue(call), { ascii: false })

interface CallQuestion {
  /** The messages before the model's, which the judge reads. */
  before: readonly Message[]
  prediction: Call
  golden: Call
  manner: JudgeManner
}

/** @throws NotScored where the judge is named and cannot be asked now */
export function byJudge(
  talk: Talk,
  { functions }: Conversation,
  { before, prediction, golden, manner }: CallQuestion,
): ByJudge {
  const question = (history: readonly Message[], predicted: Call, attempt = 0): HostNeed => ({
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
      (event): { equal: boolean | null; because: string } | { none: Silence } => {
        if (event.kind !== 'consulted') {
          const { none } = silenceOf(event) ?? unexpected(event)
          return { none: { ...none, detail: briefly(none.detail) } }
        }
        const answer = manner.read(event.text, 'is_equal')
        const isEqual = answer && manner.opinion(answer)
        return { equal: isEqual, because: isEqual === null ? '' : briefly(reasonIn(answer!)) }
      },
    )
    if ('none' in opinion) {
      const { reason, detail } = opinion.none
      if (answersKnown(talk, opinion.none, () => question([], golden)))
        return { equal: false, because: detail }
      if (reason !== 'not_configured') throw new NotScored(reason, detail)
      return { absent: detail }
    }
    const { equal, because } = opinion
    if (equal !== null) return { equal, because }
  }
  const count = manner.attempts === 1 ? 'its answer' : `any of its ${manner.attempts} answers`
  return { unread: `no judgement could be read from ${count}` }
}
