/** What a person does after a model could not be asked: the end of the sentence that says why. */
import type { RefusalKind } from '@stateeval/models'
import type { Owner } from '../owners/owner.ts'

/** How an evaluation continues that has spent its budget; `over` is what `overBudget` says. */
export const withLargerBudget = (id: string, over: string) =>
  `${over}; resume the evaluation with a larger one: POST /v1/evaluations/${id}/resume {"budget": {${over.includes('$') ? '"usd"' : '"tokens"'}: …}}`

/** What another entry of the model's settings would change: it is corrected there, not at the endpoint. */
const inSettings: ReadonlySet<RefusalKind> = new Set(['model', 'host', 'key', 'request', 'context'])

/**
 * An evaluation goes on with its model's settings of now, unless these would give other answers than those it has: see
 * `choiceOfNow` (settings-of-now.ts).
 */
export function onwards(owner: Owner, model: string, kind: RefusalKind, answered: boolean): string {
  if (owner.kind === 'benchmark')
    return inSettings.has(kind)
      ? `correct the model (PUT /v1/models/${model}), then build again: what was answered is kept`
      : 'then build again: what was answered is kept'
  const resume = `resume the evaluation: POST /v1/evaluations/${owner.id}/resume`
  if (!inSettings.has(kind)) return `then ${resume}`
  if (!answered) return `correct the model (PUT /v1/models/${model}), then ${resume}`
  return kind === 'key'
    ? `correct the key or its name (PUT /v1/models/${model}), then ${resume}`
    : `${resume} when the endpoint takes this again; for another endpoint or model id start a new evaluation, as this one has answers`
}
