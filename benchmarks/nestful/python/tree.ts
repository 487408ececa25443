/** The tree of a Python expression. */
import type { PyLiteral } from './literals.ts'

export type SyntaxPart =
  | PyLiteral
  | { kind: 'name'; id: string }
  | { kind: 'attribute'; of: SyntaxNode; name: string }
  | { kind: 'subscript'; of: SyntaxNode; slice: SyntaxNode }
  | CallPart
  | { kind: 'list' | 'tuple' | 'set'; items: SyntaxNode[] }
  /** A null key stands before what is unpacked. */
  | { kind: 'dict'; entries: [SyntaxNode | null, SyntaxNode][] }
  | { kind: 'unary'; operator: string; operand: SyntaxNode }
  | { kind: 'binary'; operator: string; left: SyntaxNode; right: SyntaxNode }
  | { kind: 'boolean'; operator: 'and' | 'or'; values: SyntaxNode[] }
  | { kind: 'comparison'; left: SyntaxNode; rest: [string, SyntaxNode][] }
  | { kind: 'choice'; body: SyntaxNode; test: SyntaxNode; otherwise: SyntaxNode }
  | { kind: 'starred'; of: SyntaxNode }
  | { kind: 'slice'; parts: [lower: SyntaxNode | null, upper: SyntaxNode | null, step: SyntaxNode | null] }
export interface CallPart {
  kind: 'call'
  of: SyntaxNode
  positional: SyntaxNode[]
  /** A null name stands before what is unpacked. */
  keywords: [string | null, SyntaxNode][]
}
export type SyntaxNode = SyntaxPart & { depth: number }

/** Python's own tools run out of stack a little deeper. */
export const maxDepth = 300
