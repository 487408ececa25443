/** Inference of what the tools of an MCP server do, from the answer to `tools/list`. */
import { isRecord } from '@stateeval/contracts'
import type { InferredEffect } from './effect.ts'
import { getVerbKind, singularise, splitName } from './words.ts'

export interface InferredTool {
  tool: string
  effect: InferredEffect
  noun: string
  /** The argument that holds several items at once. */
  batch?: string
  confidence: number
  reason: string
}

const mostTools = 1000

/** Reads `{ tools: [...] }`; null where it is no such list. */
export function inferTools(list: unknown): InferredTool[] | null {
  const tools = isRecord(list) ? list['tools'] : undefined
  if (!Array.isArray(tools)) return null
  return tools.slice(0, mostTools).flatMap((tool: unknown) => {
    if (!isRecord(tool) || typeof tool['name'] !== 'string') return []
    return [inferTool(tool['name'], tool)]
  })
}

function inferTool(name: string, { inputSchema, annotations }: Record<string, unknown>): InferredTool {
  const words = splitName(name)
  const at = words.findIndex((word) => getVerbKind(word) !== undefined)
  const kind = getVerbKind(words[at])
  const noun =
    words
      .slice(at + 1)
      .map(singularise)
      .at(-1) ??
    words.filter((_, n) => n !== at).at(-1) ??
    'thing'
  const properties =
    isRecord(inputSchema) && isRecord(inputSchema['properties']) ? inputSchema['properties'] : {}
  const batch = Object.entries(properties).find(
    ([, schema]) => isRecord(schema) && schema['type'] === 'array' && isRecord(schema['items']),
  )?.[0]
  const isReadOnly = isRecord(annotations) && annotations['readOnlyHint'] === true
  const isPlural = words.at(-1) !== undefined && singularise(words.at(-1)!) !== words.at(-1)
  const effect: InferredEffect =
    kind === undefined
      ? isReadOnly
        ? 'read'
        : 'action'
      : kind === 'read' && Object.keys(properties).length === 0
        ? 'list'
        : kind === 'delete' && (batch !== undefined || isPlural)
          ? 'delete-many'
          : kind
  return {
    tool: name,
    effect,
    noun,
    ...(batch !== undefined && { batch }),
    confidence: kind === undefined ? 0.4 : 0.8,
    reason: kind === undefined ? 'no known verb' : `the verb ${words[at]!}`,
  }
}
