/** Which prediction is compared with which golden call: the assignment over similarities of their texts. */
import type { Mapping } from '../dialogue/decisions.ts'
import { NotScored, type Silence, silenceOf, type Talk, unexpected } from '../dialogue/talk.ts'
import type { Call } from '../functions/free.ts'
import { assign } from './assign.ts'
import { callText } from './by-judge.ts'
import { lexicalSimilarities } from './lexical.ts'

export interface Mapped {
  /** For each prediction the place of its golden call; null where there are more predictions. */
  golden: (number | null)[]
  /** Absent where there was nothing to choose. */
  mapping?: Mapping
}

/** @throws NotScored where the embeddings model cannot be asked now */
export function mapCalls({ fact }: Talk, predictions: readonly Call[], golden: readonly Call[]): Mapped {
  if (predictions.length === 0 || golden.length === 0) return { golden: predictions.map(() => null) }
  if (predictions.length === 1 && golden.length === 1) return { golden: [0] }
  const [left, right] = [predictions.map(callText), golden.map(callText)]
  const lexical = assign(lexicalSimilarities(left, right))
  const found = fact(
    { kind: 'similar', left, right },
    (event): { golden: (number | null)[] } | { none: Silence } => {
      if (event.kind === 'similar') return { golden: assign(event.matrix) }
      return silenceOf(event) ?? unexpected(event)
    },
  )
  if ('none' in found) {
    const { reason, detail } = found.none
    if (reason !== 'not_configured') throw new NotScored(reason, detail)
    return { golden: lexical, mapping: { by: 'lexical', differs: false } }
  }
  const differs = found.golden.some((one, at) => one !== lexical[at])
  return { golden: found.golden, mapping: { by: 'embeddings', differs } }
}
