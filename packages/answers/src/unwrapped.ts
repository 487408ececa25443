/** Code inside JSON: { "code": "…" } or a string, as models answer that were trained on tool calls. */

const keys = [
  'code',
  'program',
  'script',
  'solution',
  'javascript',
  'python',
  'answer',
  'content',
  'output',
  'response',
  'source',
]

/** The text inside, with its escapes undone; null where the text is no JSON of that form. */
export function unwrapText(text: string): string | null {
  const trimmed = text.trim()
  if (!/^[{"]/.test(trimmed) || !/[}"]$/.test(trimmed)) return null
  let value: unknown
  try {
    value = JSON.parse(trimmed)
  } catch {
    return null
  }
  // { "name": "run", "arguments": { "code": "…" } } and such: one level further in.
  for (let depth = 0; depth < 3; depth++) {
    if (typeof value === 'string')
      return value.includes('\n') || value.includes(';') || value.includes('=') ? value : null
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return null
    const record = value as Record<string, unknown>
    const lower = new Map(Object.entries(record).map(([key, item]) => [key.toLowerCase(), item]))
    const key = keys.find((name) => typeof lower.get(name) === 'string')
    value = key ? lower.get(key) : (lower.get('arguments') ?? lower.get('parameters') ?? lower.get('input'))
  }
  return typeof value === 'string' ? value : null
}
