/** How each kind states why an answer failed. */
import { complexfuncbench } from './complexfuncbench.ts'
import type { ExplainedKind } from './kind.ts'
import { llmOnly } from './llm-only.ts'
import { nestful } from './nestful.ts'
import { published } from './published.ts'
import { stateeval } from './stateeval.ts'
import { wapiibench } from './wapiibench.ts'

export const explained: Record<string, ExplainedKind> = {
  ...{
    stateeval,
    'stateeval-published': published,
    wapiibench,
    complexfuncbench,
    nestful,
    'llm-only': llmOnly,
  },
}
