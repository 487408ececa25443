/** Expressions in a language: what differs is how a literal, a member and a record are written. */
import type { Expr, Literal, Reference } from '@stateeval/contracts'
import type { Path } from '../expr.ts'

export interface Writing {
  literal: (value: Literal['value']) => string
  /** The members that lead from a variable to the value. */
  member: (path: Path) => string
  /** A value of named entries, each an expression already. */
  record: (entries: [string, string][]) => string
}

export function writeExpressions({ literal, member, record }: Writing) {
  const reference = ({ variable, path }: Pick<Reference, 'variable' | 'path'>) => variable + member(path)
  function expression(expr: Expr): string {
    switch (expr.kind) {
      case 'reference':
        return reference(expr)
      case 'literal':
        return literal(expr.value)
      case 'list':
        return `[${expr.items.map(expression).join(', ')}]`
      case 'object':
        return record(Object.entries(expr.entries).map(([name, item]) => [name, expression(item)]))
    }
  }
  return { reference, expression }
}
