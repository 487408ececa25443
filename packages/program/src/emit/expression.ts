/**
 * Expressions in a language. Languages differ in how they write a literal, a member, a record and a
 * conversion to text.
 */
import type { Expr, Literal, VariableReference } from '@stateeval/contracts'
import { type ValuePath, tensorKey } from '../expr.ts'
import { isExtreme } from '../tensor/extremes.ts'

interface ExpressionWriter {
  literal: (value: Literal['value']) => string
  /** The members that lead from a variable to the value. */
  member: (path: ValuePath) => string
  /** A value of named entries, each an expression already. */
  record: (entries: [string, string][]) => string
  /** The text of what the code gives. */
  text: (code: string) => string
}

export function writeExpressions({ literal, member, record, text }: ExpressionWriter) {
  const reference = ({ variable, path }: Pick<VariableReference, 'variable' | 'path'>) => {
    const at = path.indexOf(tensorKey)
    if (at < 0) return variable + member(path)
    // Attributes of a tensor are written alike in every language.
    const [name, ...rest] = path.slice(at + 1)
    const tensor = variable + member(path.slice(0, at))
    if (isExtreme(name)) return `torch.${name}(${tensor}).item()`
    const attribute = `${tensor}.${String(name)}`
    return name === 'dtype' ? text(attribute) : attribute + member(rest)
  }
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
