/** The tree of a Python expression. */
import type { Literal } from './literals.ts'

export type Part =
  | Literal
  | { kind: 'name'; id: string }
  | { kind: 'attribute'; of: Node; name: string }
  | { kind: 'subscript'; of: Node; slice: Node }
  | CallPart
  | { kind: 'list' | 'tuple' | 'set'; items: Node[] }
  /** A null key stands before what is unpacked. */
  | { kind: 'dict'; entries: [Node | null, Node][] }
  | { kind: 'unary'; operator: string; operand: Node }
  | { kind: 'binary'; operator: string; left: Node; right: Node }
  | { kind: 'boolean'; operator: 'and' | 'or'; values: Node[] }
  | { kind: 'comparison'; left: Node; rest: [string, Node][] }
  | { kind: 'choice'; body: Node; test: Node; otherwise: Node }
  | { kind: 'starred'; of: Node }
  | { kind: 'slice'; parts: [lower: Node | null, upper: Node | null, step: Node | null] }
export interface CallPart {
  kind: 'call'
  of: Node
  positional: Node[]
  /** A null name stands before what is unpacked. */
  keywords: [string | null, Node][]
}
export type Node = Part & { depth: number }

/** Python's own tools run out of stack a little deeper. */
export const maxDepth = 300
