/**
 * ToolACE's released parser (README, published behaviour 5): Python's own grammar reads the calls, and a few
 * rules say what each argument stands for. Its oddities are kept: any sign before a literal is a minus (`+5`
 * is -5, `not True` is -1), of repeated keywords the last one counts.
 *
 * Three things that the released parser takes are parsing errors here: arithmetic on names and calls, which
 * it would run; the syntax that `python/syntax.ts` refuses; and values beyond the bounds of
 * `python/evaluate.ts`.
 */
import { ExpressionEvaluator } from '../python/evaluate.ts'
import { isTooLong } from '../python/literals.ts'
import { createUnreadable } from '../python/read.ts'
import { parseExpression } from '../python/syntax.ts'
import type { CallPart, SyntaxNode } from '../python/tree.ts'
import { formatSource } from '../python/unparse.ts'
import { PyDict, findPyKey, type PyValue } from '../python/value.ts'

const fail = (says: string): never => createUnreadable(says, 0)

/**
 * The calls as elements with name and arguments. Throws an UnreadableError where the released parser raises
 * an error.
 */
export function parseToolaceCalls(answer: string): PyValue[] {
  let [from, to] = [0, answer.length]
  const isStripped = (char: string | undefined) => char === '[' || char === ']' || char === "'"
  while (from < to && isStripped(answer[from])) from++
  while (to > from && isStripped(answer[to - 1])) to--
  const tree = parseExpression(answer.slice(from, to))
  const evaluator = new ExpressionEvaluator()
  if (tree.kind === 'call') return [buildElement(tree, evaluator)]
  if (tree.kind !== 'tuple' && tree.kind !== 'list' && tree.kind !== 'set') return fail('no call')
  return tree.items.map((item) =>
    item.kind === 'call' ? buildElement(item, evaluator) : fail('an element is not a call'),
  )
}

/** Arguments without a keyword are lost. */
function buildElement({ of, keywords }: CallPart, evaluator: ExpressionEvaluator): PyDict {
  const args = new PyDict()
  for (const [name, value] of keywords) args.set(name, evaluateToolaceNode(value, evaluator))
  return new PyDict([
    ['name', formatCalledName(of)],
    ['arguments', args],
  ] as [PyValue, PyValue][])
}
/** Formats the callee, joined by dots; leaves out parts that are neither a name nor an attribute. */
function formatCalledName(called: SyntaxNode): string {
  const names: string[] = []
  let node = called
  for (; node.kind === 'attribute'; node = node.of) names.unshift(node.name)
  return [...(node.kind === 'name' ? [node.id] : []), ...names].join('.')
}

function evaluateToolaceNode(node: SyntaxNode, evaluator: ExpressionEvaluator): PyValue {
  switch (node.kind) {
    case 'constant':
      return requireWritable(node.value)
    case 'opaque':
      return node.what === 'ellipsis' ? node.text : fail(`${node.what} has no form in JSON`)
    case 'name':
      return node.id
    case 'unary':
      return requireWritable(negateOperand(node.operand))
    case 'binary':
      return requireWritable(evaluator.valueOf(node))
    case 'list':
    case 'tuple':
      return node.items.map((item) => evaluateToolaceNode(item, evaluator))
    case 'dict':
      return buildDict(node.entries, evaluator)
    case 'subscript':
      return `${formatSource(node.of)}[${formatSource(node.slice)}]`
    case 'call':
      return node.keywords.length === 0 ? formatSource(node) : buildElement(node, evaluator)
    default:
      return fail(`a ${node.kind} as an argument`)
  }
}

function negateOperand(operand: SyntaxNode): PyValue {
  const value = operand.kind === 'constant' ? operand.value : null
  if (typeof value === 'boolean') return value ? -1n : 0n
  return typeof value === 'bigint' || typeof value === 'number'
    ? -value
    : fail('a sign before something other than a number')
}

function buildDict(
  entries: readonly [SyntaxNode | null, SyntaxNode][],
  evaluator: ExpressionEvaluator,
): PyDict {
  const dict = new PyDict()
  for (const [name, node] of entries) {
    const key = name === null ? fail('an unpacked dict') : evaluateToolaceNode(name, evaluator)
    if (typeof key === 'object' && key !== null) fail('a key that has no form in JSON')
    dict.set(findPyKey(dict, key), evaluateToolaceNode(node, evaluator))
  }
  return dict
}

/** Python refuses to write integers with too many digits, wherever they stand. */
function requireWritable(value: PyValue): PyValue {
  if (typeof value === 'bigint' && isTooLong(value)) fail('a number with too many digits')
  if (Array.isArray(value)) value.forEach(requireWritable)
  else if (value instanceof PyDict) for (const pair of value) pair.forEach(requireWritable)
  return value
}
