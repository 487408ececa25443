/** Facts about a value without running the program. */
import type { AnyNode } from 'acorn'

export type AbstractValue =
  /** A string; null stands for a part that is not known. */
  | { kind: 'text'; parts: readonly (string | null)[] }
  /**
   * Something that the program doesn't make itself, by its dotted name: `axios.get`, `torch.nn.functional`,
   * `BASE_URL`. `base` is the base URL of an axios.
   */
  | { kind: 'name'; path: string; base?: AbstractValue | undefined }
  /** An object or a list, by key. */
  | { kind: 'object'; entries: Map<string, AbstractValue> }
  | { kind: 'closure'; node: FunctionNode; scope: NameScope }
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

export const unknown: AbstractValue = { kind: 'unknown' }
export const plain: AbstractValue = { kind: 'plain' }
export const createTextValue = (...parts: (string | null)[]): AbstractValue => ({ kind: 'text', parts })

/** An undeclared BASE_URL, or the environment's, is an address without a path. */
const address = 'http://address'
const isAddress = (path: string) => /(^|\.)(BASE_URL|API_URL|API_BASE_URL)$/.test(path)

/** The parts of a value put into a string. */
export function listTextParts(value: AbstractValue): readonly (string | null)[] {
  if (value.kind === 'text') return value.parts
  return value.kind === 'name' && isAddress(value.path) ? [address] : [null]
}
/** Longer texts are no URLs of ours; a program that doubles one again and again must not fill the memory. */
const longest = 10_000
export function joinTextValues(...values: readonly AbstractValue[]): AbstractValue {
  const parts = values.flatMap(listTextParts)
  const length = parts.reduce((sum, part) => sum + 1 + (part?.length ?? 0), 0)
  return length > longest ? createTextValue(null) : createTextValue(...parts)
}

/** A string that is wholly known; null otherwise. */
export const findKnownText = (value: AbstractValue): string | null =>
  value.kind === 'text' && !value.parts.includes(null) ? value.parts.join('') : null

/** Names in scope, innermost first. */
export class NameScope {
  private readonly names = new Map<string, AbstractValue>()
  private readonly outer: NameScope | null

  constructor(outer: NameScope | null) {
    this.outer = outer
  }
  find(name: string): AbstractValue | null {
    return this.names.get(name) ?? this.outer?.find(name) ?? null
  }
  declare(name: string, value: AbstractValue) {
    this.names.set(name, value)
  }
  assign(name: string, value: AbstractValue) {
    if (this.outer === null || this.names.has(name)) this.names.set(name, value)
    else this.outer.assign(name, value)
  }
}

/** Reads the member under a key of a value. */
export function readMember(value: AbstractValue, key: string | null): AbstractValue {
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
