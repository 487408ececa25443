/** Facts about a value without running the program. */
import type { AnyNode } from 'acorn'

export type Value =
  /** A string; null stands for a part that is not known. */
  | { kind: 'text'; parts: readonly (string | null)[] }
  /**
   * Something that the program doesn't make itself, by its dotted name: `axios.get`, `torch.nn.functional`,
   * `BASE_URL`. `base` is the base URL of an axios.
   */
  | { kind: 'name'; path: string; base?: Value | undefined }
  /** An object or a list, by key. */
  | { kind: 'object'; entries: Map<string, Value> }
  | { kind: 'closure'; node: FunctionNode; scope: Scope }
  /** The result of a module's function: has that module's methods. */
  | { kind: 'made' }
  /** A plain value that no API can be called on. */
  | { kind: 'plain' }
  | { kind: 'unknown' }

export type FunctionNode = Extract<
  AnyNode,
  { type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression' }
>
export const isFunction = (node: AnyNode): node is FunctionNode =>
  node.type === 'FunctionDeclaration' ||
  node.type === 'FunctionExpression' ||
  node.type === 'ArrowFunctionExpression'

export const unknown: Value = { kind: 'unknown' }
export const plain: Value = { kind: 'plain' }
export const text = (...parts: (string | null)[]): Value => ({ kind: 'text', parts })

/** An undeclared BASE_URL, or the environment's, is an address without a path. */
const address = 'http://address'
const isAddress = (path: string) => /(^|\.)(BASE_URL|API_URL|API_BASE_URL)$/.test(path)

/** The parts of a value put into a string. */
export function partsOf(value: Value): readonly (string | null)[] {
  if (value.kind === 'text') return value.parts
  return value.kind === 'name' && isAddress(value.path) ? [address] : [null]
}
/** Longer texts are no URLs of ours; a program that doubles one again and again must not fill the memory. */
const longest = 10_000
export function joined(...values: readonly Value[]): Value {
  const parts = values.flatMap(partsOf)
  const length = parts.reduce((sum, part) => sum + 1 + (part?.length ?? 0), 0)
  return length > longest ? text(null) : text(...parts)
}

/** A string that is wholly known; null otherwise. */
export const knownText = (value: Value): string | null =>
  value.kind === 'text' && !value.parts.includes(null) ? value.parts.join('') : null

/** Names in scope, innermost first. */
export class Scope {
  private readonly names = new Map<string, Value>()
  private readonly outer: Scope | null

  constructor(outer: Scope | null) {
    this.outer = outer
  }
  find(name: string): Value | null {
    return this.names.get(name) ?? this.outer?.find(name) ?? null
  }
  declare(name: string, value: Value) {
    this.names.set(name, value)
  }
  assign(name: string, value: Value) {
    if (this.outer === null || this.names.has(name)) this.names.set(name, value)
    else this.outer.assign(name, value)
  }
}

/** Reads the member under a key of a value. */
export function member(value: Value, key: string | null): Value {
  switch (value.kind) {
    case 'object':
      return key === null ? unknown : (value.entries.get(key) ?? unknown)
    case 'name':
      if (key === null) return unknown
      // `default` is what a module gives to import and require alike.
      return key === 'default' ? value : { kind: 'name', path: `${value.path}.${key}`, base: value.base }
    case 'made':
      // A piece of a list of them is one, too.
      return key === null || /^\d+$/.test(key) ? value : plain
    case 'text':
    case 'plain':
      return plain
    default:
      return unknown
  }
}
