/**
 * A call that stands in a function which nothing calls: in one that is declared, exported, a method of an
 * object or of a class. The task asked for the call, not for its wrapper, so the wrapper is called.
 */
import type { AnyNode, CallExpression, NewExpression, Program } from 'acorn'
import { getMemberName } from './calls.ts'
import { visit } from './syntax.ts'

/** A node with all that it stands in, outermost first. */
type NodePath = readonly AnyNode[]

export const isFunction = ({ type }: AnyNode) =>
  ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(type)

/** The outermost function in a path, with all that it stands in. */
function findOutermost(path: NodePath): NodePath | null {
  const at = path.findIndex(isFunction)
  return at < 0 ? null : path.slice(0, at + 1)
}

/** Builds code that calls it, to stand behind the program. Empty where the program does that itself. */
export function buildUnwrapping(text: string, program: Program, around: NodePath): string {
  let path = findOutermost(around)
  const visited = new Set<AnyNode>()
  const calls = listCallExpressions(program)
  for (;;) {
    if (!path || isCalledInPlace(path)) return ''
    const wrapper = path.at(-1)!
    visited.add(wrapper)
    const callers = listUses(calls, path).map(findOutermost)
    if (callers.includes(null)) return ''
    // It is called in another function: whether that is called, matters.
    const next = callers.find((caller) => caller && !visited.has(caller.at(-1)!))
    if (!next) return `\n;${buildPathExpression(text, path)}${isRead(path) ? '' : '()'};\n`
    path = next
  }
}

/** `(() => …)()`, and what is given to a call: to a promise, a timer, an event. */
function isCalledInPlace(path: NodePath): boolean {
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
function isRead(path: NodePath): boolean {
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
function listUses(calls: readonly PlacedCall[], path: NodePath): NodePath[] {
  const wrapper = path.at(-1)!
  const means = createNameCheck(path)
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
interface PlacedCall {
  node: CallExpression | NewExpression
  path: NodePath
}
function listCallExpressions(program: Program): PlacedCall[] {
  const calls: PlacedCall[] = []
  visit(program, (node, around) => {
    if (node.type === 'CallExpression' || node.type === 'NewExpression')
      calls.push({ node, path: [...around] })
  })
  return calls
}

/** Tells whether an expression names the function: by its own name, or as a member of whatever holds it. */
function createNameCheck(path: NodePath): (node: AnyNode) => boolean {
  const [holder, node] = [path.at(-2)!, path.at(-1)!]
  const name =
    getFunctionName(node) ??
    (holder.type === 'MethodDefinition' && holder.kind === 'constructor'
      ? getFunctionName(path.at(-4)!)
      : getHolderName(holder))
  const member = getHolderMember(holder)
  return (one) =>
    one.type === 'Identifier'
      ? one.name === name
      : one.type === 'MemberExpression' &&
        member !== null &&
        (one.property.type === 'PrivateIdentifier' ? `#${one.property.name}` : getMemberName(one)) ===
          member &&
        !(one.object.type === 'Identifier' && one.object.name === 'axios')
}
const getFunctionName = (node: AnyNode) =>
  (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') && node.id
    ? node.id.name
    : undefined
function getHolderName(holder: AnyNode): string | undefined {
  if (holder.type === 'VariableDeclarator' && holder.id.type === 'Identifier') return holder.id.name
  if (holder.type === 'AssignmentExpression' && holder.left.type === 'Identifier') return holder.left.name
  return undefined
}
function getHolderMember(holder: AnyNode): string | null {
  if (holder.type === 'AssignmentExpression')
    return holder.left.type === 'MemberExpression' ? getMemberName(holder.left) : null
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
function buildPathExpression(text: string, path: NodePath): string {
  const [holder, node] = [path.at(-2)!, path.at(-1)!]
  const source = (one: AnyNode) => text.slice(one.start, one.end)
  const name = getFunctionName(node) ?? getHolderName(holder)
  if (name !== undefined) return name
  switch (holder.type) {
    case 'AssignmentExpression':
      return source(holder.left)
    case 'Property':
      return buildPathExpression(text, path.slice(0, -2)) + access(holder)
    case 'MethodDefinition':
    case 'PropertyDefinition': {
      const instance = buildPathExpression(text, path.slice(0, -3))
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
