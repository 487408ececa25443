/** References, and the targets of an expression's references. */
import type { Atom, Call, Expr, JsonValue, VariableReference, ProgramStep } from '@stateeval/contracts'
import { cloneJson } from './json.ts'
import { readAttribute, readAttributes, isDescribed } from './tensor/extremes.ts'

export type ValuePath = readonly (string | number)[]

export const createRef = (variable: string, ...path: (string | number)[]): VariableReference => ({
  kind: 'reference',
  variable,
  path,
})
export const createLiteral = (value: JsonValue): Expr & { kind: 'literal' } => ({ kind: 'literal', value })
export const isCall = (step: ProgramStep): step is Call => step.kind !== 'edit'

/** The atoms of an expression, in order. */
export function listAtoms(expr: Expr): Atom[] {
  switch (expr.kind) {
    case 'reference':
    case 'literal':
      return [expr]
    case 'list':
      return expr.items
    case 'object':
      return Object.values(expr.entries)
  }
}

/**
 * The value of an expression. `read` returns the value of a reference, and decides what happens if there is
 * none.
 */
export function evaluate(expr: Expr, read: (reference: VariableReference) => unknown): unknown {
  const atom = (item: Atom) => (item.kind === 'literal' ? cloneJson(item.value) : read(item))
  switch (expr.kind) {
    case 'list':
      return expr.items.map(atom)
    case 'object':
      return Object.fromEntries(Object.entries(expr.entries).map(([key, item]) => [key, atom(item)]))
    default:
      return atom(expr)
  }
}

/**
 * All references that a step reads, in order of its arguments. An edit also reads the variable that it
 * changes.
 */
export function listReferences(step: ProgramStep): VariableReference[] {
  const refs: VariableReference[] = []
  if (isCall(step)) for (const expr of Object.values(step.args)) collect(expr, refs)
  else {
    collect(step.value, refs)
    refs.push(step.target)
  }
  return refs
}

function collect(expr: Expr, refs: VariableReference[]): void {
  if (expr.kind === 'reference') refs.push(expr)
  else if (expr.kind !== 'literal')
    for (const atom of listAtoms(expr)) if (atom.kind === 'reference') refs.push(atom)
}

/** In a path, this key precedes an attribute of a tensor: `shape`, `dtype`, `argmax` or `argmin`. */
export const tensorKey = '$tensor'

/**
 * The value at a path, or undefined. Only own properties count, so a path never reaches a prototype. In a
 * tensor, a path leads to an attribute: [`$tensor`, `shape`, 1].
 */
export function readPath(value: unknown, path: ValuePath): unknown {
  let now = value
  for (let index = 0; index < path.length; index++) {
    const key = path[index] as string | number
    if (now === null || typeof now !== 'object' || !Object.hasOwn(now, key)) return undefined
    now = (now as Record<string | number, unknown>)[key]
    if (key !== tensorKey || !isDescribed(now)) continue
    const attribute = path[++index]
    now = attribute === undefined ? readAttributes(now) : readAttribute(now, attribute)
  }
  return now
}

/** The text of a reference in messages, shared by all emitted languages: `response_0[1].data`. */
export function formatReference({ variable, path }: { variable: string; path: ValuePath }): string {
  let text = variable
  for (const key of path) text += typeof key === 'number' ? `[${key}]` : key === tensorKey ? '' : `.${key}`
  return text
}
