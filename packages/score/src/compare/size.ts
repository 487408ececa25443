/** The size of a JSON value, computed without recursion and only up to a limit. */

interface ValueSize {
  nodes: number
  /** Levels of nesting; a plain value has 0. */
  depth: number
}

/** Values beyond these limits are not compared in detail. A person's RESULT never comes close. */
export const limits = { nodes: 2_000_000, depth: 500 } as const

/** Counts values and levels; stops when a limit is exceeded. */
export function measureSize(value: unknown): ValueSize {
  let nodes = 0
  let depth = 0
  const stack: [unknown, number][] = [[value, 0]]
  for (let top = stack.pop(); top; top = stack.pop()) {
    const [now, level] = top
    nodes++
    if (level > depth) depth = level
    if (nodes > limits.nodes || depth > limits.depth) break
    if (now === null || typeof now !== 'object') continue
    const members: readonly unknown[] = Array.isArray(now) ? now : Object.values(now)
    // They count before they are compared: each would take memory while it waits.
    if (nodes + stack.length + members.length > limits.nodes) return { nodes: limits.nodes + 1, depth }
    for (const item of members) stack.push([item, level + 1])
  }
  return { nodes, depth }
}
export const isTooLarge = ({ nodes, depth }: ValueSize) => nodes > limits.nodes || depth > limits.depth
