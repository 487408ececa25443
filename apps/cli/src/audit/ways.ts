/** The ways in which the cases of a benchmark can be answered. */
import type { EvaluationRequest, Manifest } from '@stateeval/contracts'
import { connectEvaluation } from '../suite/index.ts'

export type AnswerWay = Pick<EvaluationRequest, 'language' | 'mode' | 'setup'>

export const formatWay = ({ language, mode, setup }: AnswerWay): string =>
  [language, mode, setup].filter(Boolean).join(', ') || 'default'

/** Ways as the options say; otherwise every language of the set, every setup of its kind, and tools. */
export async function listWays({ kind, options }: Manifest, chosen: AnswerWay): Promise<AnswerWay[]> {
  if (Object.values(chosen).some((one) => one !== undefined)) return [chosen]
  const { items } = await connectEvaluation().listBenchmarkKinds()
  const { languages = [], setups = [] } = items.find((one) => one.kind === kind) ?? {}
  const own = (options as { languages?: AnswerWay['language'][] }).languages
  const spoken = Array.isArray(own) && own.length > 0 ? own : languages
  return [
    ...toNonEmpty(spoken).flatMap((language) =>
      toNonEmpty(setups).map((setup): AnswerWay => ({
        ...(language && { language }),
        ...(setup !== undefined && { setup }),
      })),
    ),
    // A kind that has no tools refuses, and says so.
    { mode: 'tools' },
  ]
}
const toNonEmpty = <T>(list: readonly T[]): readonly (T | undefined)[] =>
  list.length > 0 ? list : [undefined]
