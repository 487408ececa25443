/**
 * The service keeps equal data of one source and type once: posted again, the first session's id comes back.
 */
import type { JsonValue } from '@stateeval/contracts'
import type { CaseSession } from '../case.ts'

/** The service compares the text of documents: their keys in order, a number like the text that shows it. */
function formatServiceText(value: JsonValue): string {
  if (value === null || typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return `[${value.map(formatServiceText).join(', ')}]`
  return `{${Object.entries(value)
    .map(([key, item]) => `${key}=${formatServiceText(item)}`)
    .join(', ')}}`
}

export function removeDuplicates(sessions: readonly CaseSession[]): CaseSession[] {
  const texts = new Set<string>()
  return sessions.filter(({ source, type, data }) => {
    const text = `${type}\n${source}\n${formatServiceText(data)}`
    if (texts.has(text)) return false
    texts.add(text)
    return true
  })
}
