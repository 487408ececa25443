import type { Expr } from '@stateeval/contracts'
import { canonicalJson } from '@stateeval/contracts'
import { isCall } from '../../expr.ts'
import type { MutationOperator } from '../operator.ts'
import { nameOf, placesOf, withStep } from '../positions.ts'

export const swappedElements: MutationOperator = {
  id: 'swapped_elements',
  about: 'Two neighbours in a list that a function or tool is given are exchanged',
  sites: (program) =>
    placesOf(program).flatMap(([place, step]) => {
      if (!isCall(step) || step.kind === 'http') return []
      return Object.entries(step.args).flatMap(([name, expr]) =>
        exchanges(expr).map(({ at, other }) => ({
          where: `${nameOf(place)}.${name}: ${at} and ${at + 1}`,
          change: () => withStep(program, place, { ...step, args: { ...step.args, [name]: other } }),
        })),
      )
    }),
}

/** The list with two unequal neighbours exchanged, at each place where there are such. */
function exchanges(expr: Expr): { at: number; other: Expr }[] {
  const at = <T>(items: readonly T[], put: (items: T[]) => Expr) =>
    items.slice(1).flatMap((second, n) => {
      const first = items[n] as T
      return canonicalJson(first) === canonicalJson(second)
        ? []
        : [{ at: n, other: put(items.with(n, second).with(n + 1, first)) }]
    })
  if (expr.kind === 'list') return at(expr.items, (items) => ({ ...expr, items }))
  return expr.kind === 'literal' && Array.isArray(expr.value)
    ? at(expr.value, (value) => ({ ...expr, value }))
    : []
}
