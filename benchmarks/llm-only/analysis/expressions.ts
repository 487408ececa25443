/** Expressions, in the order in which their parts are evaluated. */
import type { AnyNode, AssignmentExpression, MemberExpression, ObjectExpression } from 'acorn'
import { evaluateCall, evaluateCreation } from './calls.ts'
import type { AnalysisMachine } from './machine.ts'
import { bind } from './statements.ts'
import {
  joinTextValues,
  findKnownText,
  readMember,
  plain,
  type NameScope,
  createTextValue,
  unknown,
  type AbstractValue,
} from './values.ts'

export const evaluate = (node: AnyNode, scope: NameScope, machine: AnalysisMachine): AbstractValue =>
  machine.effort.visit(() => evaluateNode(node, scope, machine))

function evaluateNode(node: AnyNode, scope: NameScope, machine: AnalysisMachine): AbstractValue {
  const of = (part: AnyNode) => evaluate(part, scope, machine)
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' || typeof node.value === 'number'
        ? createTextValue(String(node.value))
        : plain
    case 'TemplateLiteral':
      return joinTextValues(
        ...node.quasis.flatMap(({ value }, n) => [
          createTextValue(value.cooked ?? null),
          ...(node.expressions[n] ? [of(node.expressions[n])] : []),
        ]),
      )
    case 'Identifier':
      return scope.find(node.name) ?? { kind: 'name', path: node.name }
    case 'AwaitExpression':
    case 'UnaryExpression':
    case 'SpreadElement':
      return node.type === 'UnaryExpression' ? (of(node.argument), plain) : of(node.argument)
    case 'ChainExpression':
    case 'ParenthesizedExpression':
      return of(node.expression)
    case 'MemberExpression':
      return readMember(of(node.object), evaluateKey(node, scope, machine))
    case 'CallExpression':
      return evaluateCall(node, scope, machine)
    case 'NewExpression':
      return evaluateCreation(node, scope, machine)
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return { kind: 'closure', node, scope }
    case 'ObjectExpression':
      return evaluateObject(node, scope, machine)
    case 'ArrayExpression':
      return {
        kind: 'object',
        entries: new Map(node.elements.map((item, n) => [String(n), item ? of(item) : plain])),
      }
    case 'BinaryExpression': {
      const sides = [of(node.left), of(node.right)]
      return node.operator === '+' && sides.some(({ kind }) => kind === 'text' || kind === 'name')
        ? joinTextValues(...sides)
        : plain
    }
    case 'AssignmentExpression':
      return evaluateAssignment(node, scope, machine)
    case 'SequenceExpression':
      return node.expressions.map(of).at(-1) ?? unknown
    case 'ConditionalExpression':
      of(node.test)
      return machine.choose(2) === 0 ? of(node.consequent) : of(node.alternate)
    case 'LogicalExpression': {
      const left = of(node.left)
      const before = machine.calls.length
      const right = of(node.right)
      // The right side runs on only one of two paths, so its calls may be left out.
      if (machine.calls.length > before && machine.choose(2) === 1) machine.calls.length = before
      return left.kind === 'plain' || left.kind === 'unknown' ? right : left
    }
    case 'TaggedTemplateExpression':
      return unknown
    default:
      return plain
  }
}

/** The key of a member; null where it is not known. */
export function evaluateKey(
  node: MemberExpression,
  scope: NameScope,
  machine: AnalysisMachine,
): string | null {
  if (node.computed) return findKnownText(evaluate(node.property, scope, machine))
  return node.property.type === 'Identifier' ? node.property.name : null
}

function evaluateObject(node: ObjectExpression, scope: NameScope, machine: AnalysisMachine): AbstractValue {
  const entries = new Map<string, AbstractValue>()
  for (const one of node.properties) {
    const value = evaluate(one.type === 'SpreadElement' ? one.argument : one.value, scope, machine)
    if (one.type === 'SpreadElement') {
      if (value.kind === 'object') for (const [key, item] of value.entries) entries.set(key, item)
      continue
    }
    const key =
      one.key.type === 'Identifier' && !one.computed
        ? one.key.name
        : findKnownText(evaluate(one.key, scope, machine))
    if (key !== null) entries.set(key, value)
  }
  return { kind: 'object', entries }
}

function evaluateAssignment(
  { left, operator, right }: AssignmentExpression,
  scope: NameScope,
  machine: AnalysisMachine,
): AbstractValue {
  const assignedValue = evaluate(right, scope, machine)
  if (left.type === 'Identifier') {
    if (left.name === 'RESULT') machine.result = true
    const value =
      operator === '+=' ? joinTextValues(scope.find(left.name) ?? unknown, assignedValue) : assignedValue
    scope.assign(left.name, value)
    return value
  }
  if (left.type !== 'MemberExpression') {
    bind(left, assignedValue, scope, machine)
    return assignedValue
  }
  const [object, key] = [evaluate(left.object, scope, machine), evaluateKey(left, scope, machine)]
  if (key === 'RESULT') machine.result = true
  if (object.kind === 'object' && key !== null) object.entries.set(key, assignedValue)
  // axios.defaults.baseURL holds for every request after it.
  const axios = object.kind === 'name' && object.path === 'axios.defaults' && key === 'baseURL'
  if (axios) scope.assign('axios', { kind: 'name', path: 'axios', base: assignedValue })
  return assignedValue
}
