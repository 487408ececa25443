/**
 * Texts up to this length are read in place: that takes at most about ten milliseconds, for any content.
 */
export const maxInPlace = 4096

/** Bytes are copied as they are, and much faster. */
const bytesPerCharacter = 64

/**
 * Tells whether the texts in a value and its members exceed a total number of characters. Stops at that
 * number.
 */
export function isLong(value: unknown, maxCharacters = maxInPlace): boolean {
  let budget = maxCharacters
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    budget -= typeof next === 'string' ? next.length : 1
    if (ArrayBuffer.isView(next)) budget -= next.byteLength / bytesPerCharacter
    else if (typeof next === 'object' && next !== null) {
      if (Array.isArray(next) && next.length > budget) return true
      // Name by name: listing those of an object with a million members takes long by itself.
      if (Array.isArray(next)) for (const member of next as unknown[]) open.push(member)
      else
        for (const name in next) {
          budget -= 1
          if (budget < 0) return true
          open.push((next as Record<string, unknown>)[name])
        }
    }
    if (budget < 0) return true
  }
  return false
}
