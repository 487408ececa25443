/** Walks a syntax tree without recursion: deeply nested code must not overflow the stack. */
import type { AnyNode, Program } from 'acorn'

export function walk(
  root: AnyNode,
  visit: (node: AnyNode, parent: AnyNode) => void,
  enter: (node: AnyNode) => boolean = () => true,
) {
  const open: { node: AnyNode; parent: AnyNode }[] = [{ node: root, parent: root }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    visit(next.node, next.parent)
    if (!enter(next.node)) continue
    for (const value of Object.values(next.node) as unknown[]) {
      if (typeof value !== 'object' || value === null) continue
      if (!Array.isArray(value)) {
        if (isNode(value)) open.push({ node: value, parent: next.node })
      } else for (const child of value) if (isNode(child)) open.push({ node: child, parent: next.node })
    }
  }
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { type?: unknown }).type === 'string' &&
  'start' in value

/**
 * Names that `var` declares at top level, outside functions. Patterns are left out, because they always
 * have a value.
 */
export function listVarNames(program: Program): string[] {
  const names = new Set<string>()
  const isFunction = (node: AnyNode) => node.type.includes('Function') || node.type === 'StaticBlock'
  walk(
    program,
    (node) => {
      if (node.type === 'VariableDeclaration' && node.kind === 'var')
        for (const { id } of node.declarations) if (id.type === 'Identifier') names.add(id.name)
    },
    (node) => !isFunction(node),
  )
  return [...names]
}
