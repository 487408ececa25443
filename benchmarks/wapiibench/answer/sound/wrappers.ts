/**
 * A call that stands in a function which nothing calls: in one that is declared, exported, a method of an
 * object or of a class. The task asked for the call, not for its wrapper, so the wrapper is called.
 */
import type { AnyNode, CallExpression, NewExpression, Program } from 'acorn'
import { memberOf } from './calls.ts'
import { visit } from './syntax.ts'

/** A node with all that it stands in, outermost first. */
type Path = readonly AnyNode[]

export const isFunction = ({ type }: AnyNode) =>
  ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(type)

/** The outermost function in a path, with all that it stands in. */
function outermost(path: Path): Path | null {
  const at = path.findIndex(isFunction)
  return at < 0 ? null : path.slice(0, at + 1)
}

/** Builds code that calls it, to stand behind the program. Empty where the program does that itself. */
export function unwrapped(text: string, program: Program, around: Path): string {
  let path = outermost(around)
  const visited = new Set<AnyNode>()
  const calls = callsIn(program)
  for (;;) {
    if (!path || isCalledInPlace(path)) return ''
    const wrapper = path.at(-1)!
    visited.add(wrapper)
    const callers = usesOf(calls, path).map(outermost)
    if (callers.includes(null)) return ''
    // It is called in another function: whether that is called, matters.
    const next = callers.find((caller) => caller && !visited.has(caller.at(-1)!))
    if (!next) return `\n;${expressionFor(text, path)}${isRead(path) ? '' : '()'};\n`
    path = next
  }
}

/** `(() => …)()`, and what is given to a call: to a promise, a timer, an event. */
function isCalledInPlace(path: Path): boolean {
  const [holder, node] = [path.at(-2)!, path.at(-1)!]
  switch (holder.type) {
    case 'CallExpression':
    case 'NewExpression':
      return holder.callee === node || holder.arguments.some((one) => one === node)
    case 'MemberExpression':
      return holder.object === node
    default:
      return false
  }
}

/** Getters run when they are read, constructors with their class. */
function isRead(path: Path): boolean {
  const holder = path.at(-2)!
  return (
    (holder.type === 'MethodDefinition' || holder.type === 'Property') &&
    (holder.kind === 'get' || holder.kind === 'constructor')
  )
}

/**
 * Finds other places where it is called or handed to a call. That its name is exported or kept doesn't call
 * it.
 */
function usesOf(calls: readonly Call[], path: Path): Path[] {
  const wrapper = path.at(-1)!
  const means = namedBy(path)
  return calls
    .filter(({ node }) => {
      if (node.start >= wrapper.start && node.end <= wrapper.end) return false
      const { callee } = node
      // go.call(…) calls go as well.
      const called =
        means(callee) ||
        (callee.type === 'MemberExpression' && callee.object.type === 'Identifier' && means(callee.object))
      return called || node.arguments.some(means)
    })
    .map(({ path: around }) => around)
}

/** A call with all that it stands in. */
interface Call {
  node: CallExpression | NewExpression
  path: Path
}
function callsIn(program: Program): Call[] {
  const calls: Call[] = []
  visit(program, (node, around) => {
    if (node.type === 'CallExpression' || node.type === 'NewExpression')
      calls.push({ node, path: [...around] })
  })
  return calls
}

/** Tells whether an expression names the function: by its own name, or as a member of whatever holds it. */
function namedBy(path: Path): (node: AnyNode) => boolean {
  const [holder, node] = [path.at(-2)!, path.at(-1)!]
  const name =
    nameOf(node) ??
    (holder.type === 'MethodDefinition' && holder.kind === 'constructor'
      ? nameOf(path.at(-4)!)
      : nameIn(holder))
  const member = memberIn(holder)
  return (one) =>
    one.type === 'Identifier'
      ? one.name === name
      : one.type === 'MemberExpression' &&
        member !== null &&
        (one.property.type === 'PrivateIdentifier' ? `#${one.property.name}` : memberOf(one)) === member &&
        !(one.object.type === 'Identifier' && one.object.name === 'axios')
}
const nameOf = (node: AnyNode) =>
  (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') && node.id
    ? node.id.name
    : undefined
function nameIn(holder: AnyNode): string | undefined {
  if (holder.type === 'VariableDeclarator' && holder.id.type === 'Identifier') return holder.id.name
  if (holder.type === 'AssignmentExpression' && holder.left.type === 'Identifier') return holder.left.name
  return undefined
}
function memberIn(holder: AnyNode): string | null {
  if (holder.type === 'AssignmentExpression')
    return holder.left.type === 'MemberExpression' ? memberOf(holder.left) : null
  if (
    holder.type !== 'Property' &&
    holder.type !== 'MethodDefinition' &&
    holder.type !== 'PropertyDefinition'
  )
    return null
  const { key, computed } = holder
  if (key.type === 'PrivateIdentifier') return `#${key.name}`
  if (key.type === 'Literal') return String(key.value)
  return !computed && key.type === 'Identifier' ? key.name : null
}

/** How a program names what stands at the end of a path; what has no name is written out. */
function expressionFor(text: string, path: Path): string {
  const [holder, node] = [path.at(-2)!, path.at(-1)!]
  const source = (one: AnyNode) => text.slice(one.start, one.end)
  const name = nameOf(node) ?? nameIn(holder)
  if (name !== undefined) return name
  switch (holder.type) {
    case 'AssignmentExpression':
      return source(holder.left)
    case 'Property':
      return expressionFor(text, path.slice(0, -2)) + access(holder)
    case 'MethodDefinition':
    case 'PropertyDefinition': {
      const instance = expressionFor(text, path.slice(0, -3))
      if (holder.static) return instance + access(holder)
      const isConstructor = holder.type === 'MethodDefinition' && holder.kind === 'constructor'
      return isConstructor ? `new ${instance}()` : `(new ${instance}())${access(holder)}`
    }
    default:
      return `(${source(node)})`
  }
  function access({ key, computed }: { key: AnyNode; computed: boolean }) {
    return computed || key.type === 'Literal' ? `[${source(key)}]` : `.${source(key)}`
  }
}
