/** Statements, in the order in which they run. */
import type { AnyNode, Pattern, SwitchCase, TryStatement } from 'acorn'
import { evaluate } from './expressions.ts'
import { type StatementEnding, type AnalysisMachine, normal, ThrownValue } from './machine.ts'
import { isFunction, readMember, NameScope, unknown, type AbstractValue } from './values.ts'

/** Runs a list of statements; functions are known above them. */
export function runAll(
  statements: readonly AnyNode[],
  scope: NameScope,
  machine: AnalysisMachine,
): StatementEnding {
  for (const statement of statements) {
    const node = getDeclaration(statement)
    if (node && isFunction(node)) scope.declare(node.id?.name ?? 'default', { kind: 'closure', node, scope })
  }
  for (const statement of statements) {
    const ending = run(statement, scope, machine)
    if (ending.kind !== 'normal') return ending
  }
  return normal
}

const run = (node: AnyNode, scope: NameScope, machine: AnalysisMachine): StatementEnding =>
  machine.effort.visit(() => runStatement(node, scope, machine))

function runStatement(node: AnyNode, scope: NameScope, machine: AnalysisMachine): StatementEnding {
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
        const module: AbstractValue = { kind: 'name', path: String(node.source.value) }
        const importedName =
          one.type === 'ImportSpecifier' && one.imported.type === 'Identifier' ? one.imported.name : null
        scope.declare(one.local.name, importedName === null ? module : readMember(module, importedName))
      }
      return normal
    case 'ExportNamedDeclaration':
      return node.declaration ? run(node.declaration, scope, machine) : normal
    case 'ExportDefaultDeclaration':
      if (!isFunction(node.declaration)) evaluate(node.declaration, scope, machine)
      return normal
    case 'BlockStatement':
      return runAll(node.body, new NameScope(scope), machine)
    case 'LabeledStatement':
      return run(node.body, scope, machine)
    case 'IfStatement': {
      evaluate(node.test, scope, machine)
      if (machine.choose(2) === 0) return run(node.consequent, new NameScope(scope), machine)
      return node.alternate ? run(node.alternate, new NameScope(scope), machine) : normal
    }
    case 'SwitchStatement':
      evaluate(node.discriminant, scope, machine)
      return runSwitch(node.cases, new NameScope(scope), machine)
    case 'TryStatement':
      return runTry(node, scope, machine)
    case 'ReturnStatement':
      return { kind: 'return', value: node.argument ? evaluate(node.argument, scope, machine) : unknown }
    case 'ThrowStatement':
      evaluate(node.argument, scope, machine)
      throw new ThrownValue()
    case 'BreakStatement':
    case 'ContinueStatement':
      return { kind: 'break' }
    case 'ForStatement':
    case 'ForInStatement':
    case 'ForOfStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
      return runLoop(node.body, scope, machine)
    default:
      return normal
  }
}

/** A handler is for what should not happen: only what is certainly thrown gets there. */
function runTry(
  { block, handler, finalizer }: TryStatement,
  scope: NameScope,
  machine: AnalysisMachine,
): StatementEnding {
  let ending: StatementEnding
  try {
    ending = run(block, scope, machine)
  } catch (error) {
    if (!(error instanceof ThrownValue) || !handler) throw error
    ending = run(handler.body, scope, machine)
  }
  const last = finalizer ? run(finalizer, scope, machine) : normal
  return last.kind === 'normal' ? ending : last
}

/** From one of the cases, or past all of them where there is no default, to the next break. */
function runSwitch(
  cases: readonly SwitchCase[],
  scope: NameScope,
  machine: AnalysisMachine,
): StatementEnding {
  const from = machine.choose(cases.length + (cases.some(({ test }) => !test) ? 0 : 1))
  const ending = runAll(
    cases.slice(from).flatMap(({ consequent }) => consequent),
    scope,
    machine,
  )
  return ending.kind === 'break' ? normal : ending
}

function runLoop(body: AnyNode, scope: NameScope, machine: AnalysisMachine): StatementEnding {
  const before = machine.calls.length
  const ending = run(body, new NameScope(scope), machine)
  if (machine.calls.length > before) machine.repeats = true
  return ending.kind === 'break' ? normal : ending
}

/** Gives the names of a pattern their parts of a value. */
export function bind(
  pattern: Pattern,
  value: AbstractValue,
  scope: NameScope,
  machine: AnalysisMachine,
): void {
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
            readMember(value, !one.computed && one.key.type === 'Identifier' ? one.key.name : null),
            scope,
            machine,
          )
      return
    case 'ArrayPattern':
      for (const [n, one] of pattern.elements.entries())
        if (one)
          bind(one.type === 'RestElement' ? one.argument : one, readMember(value, String(n)), scope, machine)
      return
    case 'RestElement':
    case 'MemberExpression':
      // A rest is given its name by what it stands in; parts of an object are not told apart here.
      return
  }
}

const getDeclaration = (node: AnyNode): AnyNode | null | undefined =>
  node.type === 'ExportNamedDeclaration' || node.type === 'ExportDefaultDeclaration' ? node.declaration : node
