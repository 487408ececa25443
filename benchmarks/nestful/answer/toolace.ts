/**
 * ToolACE's released parser (README, published behaviour 5): Python's own grammar reads the calls, and a few
 * rules say what each argument stands for. Its oddities are kept: any sign before a literal is a minus (`+5`
 * is -5, `not True` is -1), of repeated keywords the last one counts.
 *
 * Three things that the released parser takes are parsing errors here: arithmetic on names and calls, which
 * it would run; the syntax that `python/syntax.ts` refuses; and values beyond the bounds of
 * `python/evaluate.ts`.
 */
import { Evaluator } from '../python/evaluate.ts'
import { isTooLong } from '../python/literals.ts'
import { unreadable } from '../python/read.ts'
import { expressionOf } from '../python/syntax.ts'
import type { CallPart, Node } from '../python/tree.ts'
import { sourceOf } from '../python/unparse.ts'
import { Dict, keyIn, type Py } from '../python/value.ts'

const fail = (says: string): never => unreadable(says, 0)

/**
 * The calls as elements with name and arguments. Throws an Unreadable where the released parser raises an
 * error.
 */
export function callsOf(answer: string): Py[] {
  let [from, to] = [0, answer.length]
  const isStripped = (char: string | undefined) => char === '[' || char === ']' || char === "'"
  while (from < to && isStripped(answer[from])) from++
  while (to > from && isStripped(answer[to - 1])) to--
  const tree = expressionOf(answer.slice(from, to))
  const evaluator = new Evaluator()
  if (tree.kind === 'call') return [elementOf(tree, evaluator)]
  if (tree.kind !== 'tuple' && tree.kind !== 'list' && tree.kind !== 'set') return fail('no call')
  return tree.items.map((item) =>
    item.kind === 'call' ? elementOf(item, evaluator) : fail('an element is not a call'),
  )
}

/** Arguments without a keyword are lost. */
function elementOf({ of, keywords }: CallPart, evaluator: Evaluator): Dict {
  const args = new Dict()
  for (const [name, value] of keywords) args.set(name, valueOf(value, evaluator))
  return new Dict([
    ['name', nameOf(of)],
    ['arguments', args],
  ] as [Py, Py][])
}
/** Formats the callee, joined by dots; of what is neither a name nor an attribute nothing is left. */
function nameOf(called: Node): string {
  const names: string[] = []
  let node = called
  for (; node.kind === 'attribute'; node = node.of) names.unshift(node.name)
  return [...(node.kind === 'name' ? [node.id] : []), ...names].join('.')
}

function valueOf(node: Node, evaluator: Evaluator): Py {
  switch (node.kind) {
    case 'constant':
      return requireWritable(node.value)
    case 'opaque':
      return node.what === 'ellipsis' ? node.text : fail(`${node.what} has no form in JSON`)
    case 'name':
      return node.id
    case 'unary':
      return requireWritable(negative(node.operand))
    case 'binary':
      return requireWritable(evaluator.valueOf(node))
    case 'list':
    case 'tuple':
      return node.items.map((item) => valueOf(item, evaluator))
    case 'dict':
      return dictOf(node.entries, evaluator)
    case 'subscript':
      return `${sourceOf(node.of)}[${sourceOf(node.slice)}]`
    case 'call':
      return node.keywords.length === 0 ? sourceOf(node) : elementOf(node, evaluator)
    default:
      return fail(`a ${node.kind} as an argument`)
  }
}

function negative(operand: Node): Py {
  const value = operand.kind === 'constant' ? operand.value : null
  if (typeof value === 'boolean') return value ? -1n : 0n
  return typeof value === 'bigint' || typeof value === 'number'
    ? -value
    : fail('a sign before something other than a number')
}

function dictOf(entries: readonly [Node | null, Node][], evaluator: Evaluator): Dict {
  const dict = new Dict()
  for (const [name, node] of entries) {
    const key = name === null ? fail('an unpacked dict') : valueOf(name, evaluator)
    if (typeof key === 'object' && key !== null) fail('a key that has no form in JSON')
    dict.set(keyIn(dict, key), valueOf(node, evaluator))
  }
  return dict
}

/** Python refuses to write integers with too many digits, wherever they stand. */
function requireWritable(value: Py): Py {
  if (typeof value === 'bigint' && isTooLong(value)) fail('a number with too many digits')
  if (Array.isArray(value)) value.forEach(requireWritable)
  else if (value instanceof Dict) for (const pair of value) pair.forEach(requireWritable)
  return value
}
