/** Which prediction is compared with which golden call: the assignment over similarities of their texts. */
import { shortenFault, type CallMapping } from '../dialogue/decisions.ts'
import {
  hasRefusalAnswer,
  NotScoredError,
  type PartySilence,
  findSilence,
  type ModelTalk,
  throwUnexpected,
} from '../dialogue/talk.ts'
import type { PythonCall } from '../functions/free.ts'
import { assignRows } from './assign.ts'
import { callText } from './by-judge.ts'
import { computeLexicalSimilarities } from './lexical.ts'

interface CallMap {
  /** For each prediction the place of its golden call; null where there are more predictions. */
  golden: (number | null)[]
  /** Absent where there was nothing to choose. */
  mapping?: CallMapping
}

type MapResult =
  | { golden: (number | null)[]; by: CallMapping['by']; differs: boolean }
  | { none: PartySilence }

/** @throws NotScoredError where the embeddings model cannot be asked now */
export function mapCalls(
  talk: ModelTalk,
  predictions: readonly PythonCall[],
  golden: readonly PythonCall[],
): CallMap {
  if (predictions.length === 0 || golden.length === 0) return { golden: predictions.map(() => null) }
  if (predictions.length === 1 && golden.length === 1) return { golden: [0] }
  const [left, right] = [predictions.map(callText), golden.map(callText)]
  const assignment = talk.fact({ kind: 'similar', left, right }, (event): MapResult => {
    const lexical = () => assignRows(computeLexicalSimilarities(left, right))
    if (event.kind === 'similar') {
      const golden = assignRows(event.matrix)
      const expected = lexical()
      return { golden, by: 'embeddings', differs: golden.some((one, at) => one !== expected[at]) }
    }
    const { none } = findSilence(event) ?? throwUnexpected(event)
    return none.reason === 'not_configured' ? { golden: lexical(), by: 'lexical', differs: false } : { none }
  })
  if ('none' in assignment) {
    if (hasRefusalAnswer(talk, assignment.none, () => ({ kind: 'similar', left: right, right })))
      return {
        golden: assignRows(computeLexicalSimilarities(left, right)),
        mapping: { by: 'lexical', differs: false, because: shortenFault(assignment.none.detail) },
      }
    throw new NotScoredError(assignment.none.reason, assignment.none.detail)
  }
  const { golden: places, by, differs } = assignment
  return { golden: places, mapping: { by, differs } }
}
