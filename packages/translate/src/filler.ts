/** The fillers of slots, their parts, and the resulting arguments. */
import { type Expr, type JsonValue, type VariableReference, canonicalJson } from '@stateeval/contracts'
import { listAtoms, createLiteral, type ValuePath, type SlotKey } from '@stateeval/program'
import type { StatedCall } from './context.ts'
import type { MentionedValue } from './mention.ts'
import { clue, type ReadReference } from './read-reference.ts'

/** A value, or an item that a call created, with the words in which it was read. */
export type SlotFiller =
  | { kind: 'value'; expr: Expr }
  | { kind: 'thing'; statedCall: StatedCall; mention?: MentionedValue }

export function isSameExpr(a: Expr, b: Expr): boolean {
  if (a.kind === 'reference' || b.kind === 'reference') {
    if (
      a.kind !== 'reference' ||
      b.kind !== 'reference' ||
      a.variable !== b.variable ||
      a.path.length !== b.path.length
    )
      return false
    return a.path.every((key, index) => key === b.path[index])
  }
  return canonicalJson(simplifyExpr(a)) === canonicalJson(simplifyExpr(b))
}

/** A list or object of constants is a constant. */
export function simplifyExpr(expr: Expr): Expr {
  if (
    (expr.kind !== 'list' && expr.kind !== 'object') ||
    listAtoms(expr).some((atom) => atom.kind === 'reference')
  )
    return expr
  const value = (atom: Expr): JsonValue => (atom.kind === 'literal' ? (atom.value as JsonValue) : null)
  if (expr.kind === 'list') return createLiteral(expr.items.map(value))
  return createLiteral(
    Object.fromEntries(Object.entries(expr.entries).map(([key, atom]) => [key, value(atom)])),
  )
}

/** The path of an argument in its slot, with the keys from other slots; null until these are filled. */
export function findSlotPath(
  path: readonly SlotKey[],
  fillers: Readonly<Record<string, SlotFiller>>,
): ValuePath | null {
  const keys = path.flatMap((key): (string | number)[] | null[] => {
    if (typeof key !== 'object') return [key]
    const filler = fillers[key.slot]
    const text = filler?.kind === 'value' && filler.expr.kind === 'literal' ? filler.expr.value : null
    return typeof text === 'string' ? text.split('.') : [null]
  })
  return keys.includes(null) ? null : (keys as (string | number)[])
}

/** The part of a filler at a path, or null if it has none. */
export function getFillerPart(filler: SlotFiller, path: ValuePath): Expr | null {
  if (filler.kind === 'value') {
    if (path.length === 0) return filler.expr
    return filler.expr.kind === 'reference' ? { ...filler.expr, path: [...filler.expr.path, ...path] } : null
  }
  const part = getThingPart(filler.statedCall, path)
  if (part?.kind !== 'reference' || !filler.mention) return part
  const readReference: ReadReference = { ...part, [clue]: { mention: filler.mention, base: part.path } }
  return readReference
}

function getThingPart({ call, phrase, output }: StatedCall, [name, ...rest]: ValuePath): Expr | null {
  const parts = phrase.thing?.parts ?? {}
  const part = Object.hasOwn(parts, name as string) ? parts[name as string] : undefined
  if (!part) return null
  if ('output' in part) return { kind: 'reference', variable: output, path: [...part.output, ...rest] }
  const argument = call.args[part.argument]
  if (!argument) return null
  if (rest.length === 0) return argument
  return argument.kind === 'reference' ? { ...argument, path: [...argument.path, ...rest] } : null
}

/** The reference whose part at `path` this is, or null. */
export function findBaseReference(expr: Expr, path: ValuePath): VariableReference | null {
  if (expr.kind !== 'reference' || expr.path.length < path.length) return null
  const start = expr.path.length - path.length
  return path.every((key, index) => expr.path[start + index] === key)
    ? { ...expr, path: expr.path.slice(0, start) }
    : null
}
