/** The samples in an answer: Listing 4's form, with the endpoint that each is for. */
import { isNode, type DocumentNode } from '@stateeval/openapi'

export interface AnsweredSample {
  /** The endpoint that it says it is for. */
  endpoint?: string
  task: unknown
  config: unknown
}

/** The samples, or why there are none, as a sentence for whoever wrote the answer. */
export function readSamples(answer: string): { samples: AnsweredSample[] } | { says: string } {
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
    return { samples: list.filter(isNode).map(toSample) }
  }
  const whole = listWholeObjects(answer)
  if (whole.length > 0) return { samples: whole.map(toSample) }
  return {
    says: `The answer could not be read as JSON: ${why}. Answer with one JSON object {"samples": [...]} and nothing else.`,
  }
}
const toSample = ({ endpoint, task, config }: DocumentNode): AnsweredSample => ({
  ...(typeof endpoint === 'string' && { endpoint }),
  task,
  config,
})

/** The samples that are whole in an answer that breaks off, or that has more than JSON around them. */
function listWholeObjects(answer: string): DocumentNode[] {
  const begin = [...answer.matchAll(/"samples"\s*:\s*\[/g)].at(-1)
  if (!begin) return []
  const samples: DocumentNode[] = []
  let [depth, from, inText] = [0, 0, false]
  for (let at = begin.index + begin[0].length; at < answer.length; at++) {
    const letter = answer[at]
    if (inText) {
      if (letter === '\\') at++
      else if (letter === '"') inText = false
    } else if (letter === '"') inText = true
    else if (letter === '{' && depth++ === 0) from = at
    else if (letter === '}' && --depth === 0) {
      const value = parseText(answer.slice(from, at + 1))
      if (isNode(value)) samples.push(value)
    } else if (letter === ']' && depth === 0) break
  }
  return samples
}
function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
