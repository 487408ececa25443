/** Which prediction is compared with which golden call: the assignment over similarities of their texts. */
import { briefly, type Mapping } from '../dialogue/decisions.ts'
import { answersKnown, NotScored, type Silence, silenceOf, type Talk, unexpected } from '../dialogue/talk.ts'
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

type Found = { golden: (number | null)[]; by: Mapping['by']; differs: boolean } | { none: Silence }

/** @throws NotScored where the embeddings model cannot be asked now */
export function mapCalls(talk: Talk, predictions: readonly Call[], golden: readonly Call[]): Mapped {
  if (predictions.length === 0 || golden.length === 0) return { golden: predictions.map(() => null) }
  if (predictions.length === 1 && golden.length === 1) return { golden: [0] }
  const [left, right] = [predictions.map(callText), golden.map(callText)]
  const assignment = talk.fact({ kind: 'similar', left, right }, (event): Found => {
    const lexical = () => assign(lexicalSimilarities(left, right))
    if (event.kind === 'similar') {
      const golden = assign(event.matrix)
      const expected = lexical()
      return { golden, by: 'embeddings', differs: golden.some((one, at) => one !== expected[at]) }
    }
    const { none } = silenceOf(event) ?? unexpected(event)
    return none.reason === 'not_configured' ? { golden: lexical(), by: 'lexical', differs: false } : { none }
  })
  if ('none' in assignment) {
    if (answersKnown(talk, assignment.none, () => ({ kind: 'similar', left: right, right })))
      return {
        golden: assign(lexicalSimilarities(left, right)),
        mapping: { by: 'lexical', differs: false, because: briefly(assignment.none.detail) },
      }
    throw new NotScored(assignment.none.reason, assignment.none.detail)
  }
  const { golden: places, by, differs } = assignment
  return { golden: places, mapping: { by, differs } }
}
