import type { Expr } from '@stateeval/contracts'
import { canonicalJson } from '@stateeval/contracts'
import { isCall } from '../../expr.ts'
import { type MutationOperator, type MutationSite, StepSite } from '../operator.ts'
import { placesOf } from '../positions.ts'

export const swappedElements: MutationOperator = {
  id: 'swapped_elements',
  about: 'Two neighbours in a list argument of a function or tool are exchanged',
  sites(program) {
    const sites: MutationSite[] = []
    for (const [place, step] of placesOf(program)) {
      if (!isCall(step) || step.kind === 'http') continue
      for (const name of Object.keys(step.args))
        for (const { at, other } of listExchanges(step.args[name] as Expr)) {
          const make = () => [{ ...step, args: { ...step.args, [name]: other } }]
          sites.push(new StepSite(program, place, make, () => `.${name}: ${at} and ${at + 1}`))
        }
    }
    return sites
  },
}

const isSame = (a: unknown, b: unknown) =>
  a === b || (typeof a === 'object' && typeof b === 'object' && canonicalJson(a) === canonicalJson(b))

/** The list with two unequal neighbours exchanged, at each place where there are such. */
function listExchanges(expr: Expr): readonly { at: number; other: Expr }[] {
  if (expr.kind === 'reference' || (expr.kind === 'literal' && !Array.isArray(expr.value))) return []
  const at = <T>(items: readonly T[], put: (items: T[]) => Expr) =>
    items.slice(1).flatMap((second, n) => {
      const first = items[n] as T
      return isSame(first, second) ? [] : [{ at: n, other: put(items.with(n, second).with(n + 1, first)) }]
    })
  if (expr.kind === 'list') return at(expr.items, (items) => ({ ...expr, items }))
  return expr.kind === 'literal' && Array.isArray(expr.value)
    ? at(expr.value, (value) => ({ ...expr, value }))
    : []
}
