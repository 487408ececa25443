/** Statements, in the order in which they run. */
import type { AnyNode, Pattern, SwitchCase, TryStatement } from 'acorn'
import { evaluate } from './expressions.ts'
import { type Ending, type Machine, normal, Thrown } from './machine.ts'
import { isFunction, member, Scope, unknown, type Value } from './values.ts'

/** Runs a list of statements; functions are known above them. */
export function runAll(statements: readonly AnyNode[], scope: Scope, machine: Machine): Ending {
  for (const statement of statements) {
    const node = declared(statement)
    if (node && isFunction(node)) scope.declare(node.id?.name ?? 'default', { kind: 'closure', node, scope })
  }
  for (const statement of statements) {
    const ending = run(statement, scope, machine)
    if (ending.kind !== 'normal') return ending
  }
  return normal
}

const run = (node: AnyNode, scope: Scope, machine: Machine): Ending =>
  machine.effort.visit(() => endingOf(node, scope, machine))

function endingOf(node: AnyNode, scope: Scope, machine: Machine): Ending {
  switch (node.type) {
    case 'ExpressionStatement':
      evaluate(node.expression, scope, machine)
      return normal
    case 'VariableDeclaration':
      for (const { id, init } of node.declarations)
        bind(id, init ? evaluate(init, scope, machine) : unknown, scope, machine)
      return normal
    case 'ImportDeclaration':
      for (const one of node.specifiers) {
        const module: Value = { kind: 'name', path: String(node.source.value) }
        const importedName =
          one.type === 'ImportSpecifier' && one.imported.type === 'Identifier' ? one.imported.name : null
        scope.declare(one.local.name, importedName === null ? module : member(module, importedName))
      }
      return normal
    case 'ExportNamedDeclaration':
      return node.declaration ? run(node.declaration, scope, machine) : normal
    case 'ExportDefaultDeclaration':
      if (!isFunction(node.declaration)) evaluate(node.declaration, scope, machine)
      return normal
    case 'BlockStatement':
      return runAll(node.body, new Scope(scope), machine)
    case 'LabeledStatement':
      return run(node.body, scope, machine)
    case 'IfStatement': {
      evaluate(node.test, scope, machine)
      if (machine.choose(2) === 0) return run(node.consequent, new Scope(scope), machine)
      return node.alternate ? run(node.alternate, new Scope(scope), machine) : normal
    }
    case 'SwitchStatement':
      evaluate(node.discriminant, scope, machine)
      return inSwitch(node.cases, new Scope(scope), machine)
    case 'TryStatement':
      return inTry(node, scope, machine)
    case 'ReturnStatement':
      return { kind: 'return', value: node.argument ? evaluate(node.argument, scope, machine) : unknown }
    case 'ThrowStatement':
      evaluate(node.argument, scope, machine)
      throw new Thrown()
    case 'BreakStatement':
    case 'ContinueStatement':
      return { kind: 'break' }
    case 'ForStatement':
    case 'ForInStatement':
    case 'ForOfStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
      return inLoop(node.body, scope, machine)
    default:
      return normal
  }
}

/** A handler is for what should not happen: only what is certainly thrown gets there. */
function inTry({ block, handler, finalizer }: TryStatement, scope: Scope, machine: Machine): Ending {
  let ending: Ending
  try {
    ending = run(block, scope, machine)
  } catch (error) {
    if (!(error instanceof Thrown) || !handler) throw error
    ending = run(handler.body, scope, machine)
  }
  const last = finalizer ? run(finalizer, scope, machine) : normal
  return last.kind === 'normal' ? ending : last
}

/** From one of the cases, or past all of them where there is no default, to the next break. */
function inSwitch(cases: readonly SwitchCase[], scope: Scope, machine: Machine): Ending {
  const from = machine.choose(cases.length + (cases.some(({ test }) => !test) ? 0 : 1))
  const ending = runAll(
    cases.slice(from).flatMap(({ consequent }) => consequent),
    scope,
    machine,
  )
  return ending.kind === 'break' ? normal : ending
}

function inLoop(body: AnyNode, scope: Scope, machine: Machine): Ending {
  const before = machine.calls.length
  const ending = run(body, new Scope(scope), machine)
  if (machine.calls.length > before) machine.repeats = true
  return ending.kind === 'break' ? normal : ending
}

/** Gives the names of a pattern their parts of a value. */
export function bind(pattern: Pattern, value: Value, scope: Scope, machine: Machine): void {
  switch (pattern.type) {
    case 'Identifier':
      if (pattern.name === 'RESULT') machine.result = true
      scope.declare(pattern.name, value)
      return
    case 'AssignmentPattern':
      bind(
        pattern.left,
        value.kind === 'unknown' ? evaluate(pattern.right, scope, machine) : value,
        scope,
        machine,
      )
      return
    case 'ObjectPattern':
      for (const one of pattern.properties)
        if (one.type === 'RestElement') bind(one.argument, unknown, scope, machine)
        else
          bind(
            one.value,
            member(value, !one.computed && one.key.type === 'Identifier' ? one.key.name : null),
            scope,
            machine,
          )
      return
    case 'ArrayPattern':
      for (const [n, one] of pattern.elements.entries())
        if (one)
          bind(one.type === 'RestElement' ? one.argument : one, member(value, String(n)), scope, machine)
      return
    case 'RestElement':
    case 'MemberExpression':
      // A rest is given its name by what it stands in; parts of an object are not told apart here.
      return
  }
}

const declared = (node: AnyNode): AnyNode | null | undefined =>
  node.type === 'ExportNamedDeclaration' || node.type === 'ExportDefaultDeclaration' ? node.declaration : node
