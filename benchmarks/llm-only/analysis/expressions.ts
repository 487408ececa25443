/** Expressions, in the order in which their parts are evaluated. */
import type { AnyNode, AssignmentExpression, MemberExpression, ObjectExpression } from 'acorn'
import { callOf, creationOf } from './calls.ts'
import type { Machine } from './machine.ts'
import { bind } from './statements.ts'
import { joined, knownText, member, plain, type Scope, text, unknown, type Value } from './values.ts'

export const evaluate = (node: AnyNode, scope: Scope, machine: Machine): Value =>
  machine.effort.visit(() => valueOf(node, scope, machine))

function valueOf(node: AnyNode, scope: Scope, machine: Machine): Value {
  const of = (part: AnyNode) => evaluate(part, scope, machine)
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' || typeof node.value === 'number'
        ? text(String(node.value))
        : plain
    case 'TemplateLiteral':
      return joined(
        ...node.quasis.flatMap(({ value }, n) => [
          text(value.cooked ?? null),
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
      return member(of(node.object), keyOf(node, scope, machine))
    case 'CallExpression':
      return callOf(node, scope, machine)
    case 'NewExpression':
      return creationOf(node, scope, machine)
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return { kind: 'closure', node, scope }
    case 'ObjectExpression':
      return objectOf(node, scope, machine)
    case 'ArrayExpression':
      return {
        kind: 'object',
        entries: new Map(node.elements.map((item, n) => [String(n), item ? of(item) : plain])),
      }
    case 'BinaryExpression': {
      const sides = [of(node.left), of(node.right)]
      return node.operator === '+' && sides.some(({ kind }) => kind === 'text' || kind === 'name')
        ? joined(...sides)
        : plain
    }
    case 'AssignmentExpression':
      return assignmentOf(node, scope, machine)
    case 'SequenceExpression':
      return node.expressions.map(of).at(-1) ?? unknown
    case 'ConditionalExpression':
      of(node.test)
      return machine.choose(2) === 0 ? of(node.consequent) : of(node.alternate)
    case 'LogicalExpression': {
      const left = of(node.left)
      const before = machine.calls.length
      const right = of(node.right)
      // A call on the right runs on one of two ways only.
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
export function keyOf(node: MemberExpression, scope: Scope, machine: Machine): string | null {
  if (node.computed) return knownText(evaluate(node.property, scope, machine))
  return node.property.type === 'Identifier' ? node.property.name : null
}

function objectOf(node: ObjectExpression, scope: Scope, machine: Machine): Value {
  const entries = new Map<string, Value>()
  for (const one of node.properties) {
    const value = evaluate(one.type === 'SpreadElement' ? one.argument : one.value, scope, machine)
    if (one.type === 'SpreadElement') {
      if (value.kind === 'object') for (const [key, item] of value.entries) entries.set(key, item)
      continue
    }
    const key =
      one.key.type === 'Identifier' && !one.computed
        ? one.key.name
        : knownText(evaluate(one.key, scope, machine))
    if (key !== null) entries.set(key, value)
  }
  return { kind: 'object', entries }
}

function assignmentOf(
  { left, operator, right }: AssignmentExpression,
  scope: Scope,
  machine: Machine,
): Value {
  const assignedValue = evaluate(right, scope, machine)
  if (left.type === 'Identifier') {
    if (left.name === 'RESULT') machine.result = true
    const value = operator === '+=' ? joined(scope.find(left.name) ?? unknown, assignedValue) : assignedValue
    scope.assign(left.name, value)
    return value
  }
  if (left.type !== 'MemberExpression') {
    bind(left, assignedValue, scope, machine)
    return assignedValue
  }
  const [object, key] = [evaluate(left.object, scope, machine), keyOf(left, scope, machine)]
  if (key === 'RESULT') machine.result = true
  if (object.kind === 'object' && key !== null) object.entries.set(key, assignedValue)
  // axios.defaults.baseURL holds for every request after it.
  const axios = object.kind === 'name' && object.path === 'axios.defaults' && key === 'baseURL'
  if (axios) scope.assign('axios', { kind: 'name', path: 'axios', base: assignedValue })
  return assignedValue
}
