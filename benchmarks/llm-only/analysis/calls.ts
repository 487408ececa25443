/**
 * Calls: of the program's own functions, which are followed, of APIs, which are noted, and of everything
 * else.
 */
import type { AnyNode, CallExpression, NewExpression } from 'acorn'
import { evaluate, evaluateKey } from './expressions.ts'
import type { AnalysisMachine } from './machine.ts'
import { bind, runAll } from './statements.ts'
import {
  joinTextValues,
  findKnownText,
  readMember,
  plain,
  NameScope,
  createTextValue,
  unknown,
  type AbstractValue,
} from './values.ts'

/** Methods that call what they are given for each element. */
const each = new Set([
  'map',
  'forEach',
  'filter',
  'reduce',
  'reduceRight',
  'flatMap',
  'some',
  'every',
  'find',
  'findIndex',
  'sort',
  'from',
])
/** Functions that give the text that they are given, or one like it. */
const asText = new Set(['String', 'encodeURIComponent', 'encodeURI', 'decodeURIComponent'])
const sameText = new Set(['toString', 'trim', 'valueOf', 'toUpperCase', 'toLowerCase'])

export function evaluateCall(
  node: CallExpression,
  scope: NameScope,
  machine: AnalysisMachine,
): AbstractValue {
  const { callee, on } = evaluateCallee(node.callee, scope, machine)
  const args = node.arguments.map((arg) => evaluate(arg, scope, machine))
  if (callee.kind === 'closure' && !isApi(node.callee, machine)) return callClosure(callee, args, machine)
  const calleeValue: AbstractValue =
    callee.kind === 'closure' && node.callee.type === 'Identifier'
      ? { kind: 'name', path: node.callee.name }
      : callee
  const api = machine.recognise({ callee: calleeValue, on, args })
  if (api !== null) {
    machine.calls.push(api)
    return calleeValue.kind === 'name' && /^(axios|fetch)\b/.test(calleeValue.path)
      ? unknown
      : { kind: 'made' }
  }
  return on?.method === 'then' || on?.method === 'finally'
    ? callChained(args, machine)
    : callUnknown(calleeValue, on, args, machine)
}

/** A tool that the program declares itself, as a stand-in, is the tool all the same. */
const isApi = (callee: AnyNode, { recognise }: AnalysisMachine) =>
  callee.type === 'Identifier' &&
  recognise({ callee: { kind: 'name', path: callee.name }, args: [] }) !== null

function evaluateCallee(node: AnyNode, scope: NameScope, machine: AnalysisMachine) {
  if (node.type !== 'MemberExpression') return { callee: evaluate(node, scope, machine), on: undefined }
  const value = evaluate(node.object, scope, machine)
  const key = evaluateKey(node, scope, machine)
  return { callee: readMember(value, key), on: key === null ? undefined : { value, method: key } }
}

export function callClosure(
  { node, scope: outer }: Extract<AbstractValue, { kind: 'closure' }>,
  args: readonly AbstractValue[],
  machine: AnalysisMachine,
): AbstractValue {
  if (machine.runningFunctions.has(node)) {
    machine.repeats = true
    return unknown
  }
  machine.runningFunctions.add(node)
  const scope = new NameScope(outer)
  for (const [n, param] of node.params.entries())
    if (param.type !== 'RestElement') bind(param, args[n] ?? unknown, scope, machine)
  try {
    if (node.body.type !== 'BlockStatement') return evaluate(node.body, scope, machine)
    const ending = runAll(node.body.body, scope, machine)
    return ending.kind === 'return' ? ending.value : unknown
  } finally {
    machine.runningFunctions.delete(node)
  }
}

/** Calls the continuation once the promise is there. */
function callChained([then]: readonly AbstractValue[], machine: AnalysisMachine): AbstractValue {
  return then?.kind === 'closure' ? callClosure(then, [unknown], machine) : unknown
}

function callUnknown(
  callee: AbstractValue,
  on: { value: AbstractValue; method: string } | undefined,
  args: readonly AbstractValue[],
  machine: AnalysisMachine,
): AbstractValue {
  const path = callee.kind === 'name' ? callee.path : ''
  const [first = unknown] = args
  if (path === 'require') return { kind: 'name', path: findKnownText(first) ?? 'require' }
  if (path === 'axios.create')
    return {
      kind: 'name',
      path: 'axios',
      base: first.kind === 'object' ? first.entries.get('baseURL') : undefined,
    }
  if (asText.has(path)) return first.kind === 'text' ? first : createTextValue(null)
  if (/^Promise\.(all|allSettled)$|^axios\.all$|^Promise\.resolve$|^Object\.freeze$/.test(path)) return first
  if (on?.value.kind === 'text' && sameText.has(on.method)) return on.value
  if (on?.value.kind === 'text' && on.method === 'concat') return joinTextValues(on.value, ...args)
  if (on?.method === 'join' && on.value.kind === 'object')
    return joinValues(findKnownText(first) ?? ',', [...on.value.entries.values()])
  // A handler of errors is for what should not happen.
  if (on?.method === 'catch') return on.value
  const before = machine.calls.length
  for (const arg of args) if (arg.kind === 'closure') callClosure(arg, [], machine)
  if (on && each.has(on.method) && machine.calls.length > before) machine.repeats = true
  if (path.startsWith('torch.')) return { kind: 'made' }
  return on?.value.kind === 'made' ? on.value : on?.value.kind === 'text' ? createTextValue(null) : unknown
}

const joinValues = (separator: string, values: readonly AbstractValue[]) =>
  joinTextValues(...values.flatMap((value, n) => (n === 0 ? [value] : [createTextValue(separator), value])))

export function evaluateCreation(
  node: NewExpression,
  scope: NameScope,
  machine: AnalysisMachine,
): AbstractValue {
  const callee = evaluate(node.callee, scope, machine)
  const args = node.arguments.map((arg) => evaluate(arg, scope, machine))
  for (const arg of args) if (arg.kind === 'closure') callClosure(arg, [], machine)
  const [path, base] = args
  if (callee.kind === 'name' && callee.path === 'URL' && path) return base ? joinTextValues(base, path) : path
  return callee.kind === 'name' && /^(Error|Date|Map|Set|URLSearchParams)$/.test(callee.path)
    ? plain
    : unknown
}
