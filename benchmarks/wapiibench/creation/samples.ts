/** The samples in an answer: Listing 4's form, with the endpoint that each is for. */
import { isNode } from '../specification/document.ts'

export interface Sample {
  /** The endpoint that it says it is for. */
  endpoint?: string
  task: unknown
  config: unknown
}

/** The samples, or why there are none, as a sentence for whoever wrote the answer. */
export function samplesIn(answer: string): { samples: Sample[] } | { says: string } {
  const texts = [...answer.matchAll(/```[\w-]*[ \t]*\r?\n([\s\S]*?)```/g)].map(([, code]) => code!)
  const [from, to] = [answer.search(/[[{]/), Math.max(answer.lastIndexOf('}'), answer.lastIndexOf(']'))]
  if (from >= 0 && to > from) texts.push(answer.slice(from, to + 1))
  let why = 'it has no object {"samples": [...]}'
  for (const text of texts) {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (error) {
      why = error instanceof Error ? error.message : String(error)
      continue
    }
    const list = Array.isArray(value)
      ? (value as unknown[])
      : isNode(value)
        ? (value['samples'] ?? ('config' in value ? [value] : null))
        : null
    if (!Array.isArray(list)) continue
    return {
      samples: list
        .filter(isNode)
        .map(({ endpoint, task, config }) => ({ ...(typeof endpoint === 'string' && { endpoint }), task, config })),
    }
  }
  return { says: `The answer could not be read as JSON: ${why}. Answer with one JSON object {"samples": [...]} and nothing else.` }
}
