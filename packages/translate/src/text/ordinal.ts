/** Positions in a list as ordinals: index 0 is 'first'. */
const words = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

export function formatOrdinal(index: number): string {
  const place = index + 1
  const ending =
    place % 100 >= 11 && place % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][place % 10] ?? 'th')
  return words[index] ?? `${place}${ending}`
}

/** The index that an ordinal denotes, or null. */
export function parseOrdinal(word: string): number | null {
  const wordIndex = words.indexOf(word)
  if (wordIndex >= 0) return wordIndex
  const index = /^\d{2,9}(st|nd|rd|th)$/.test(word) ? Number.parseInt(word, 10) - 1 : -1
  return index >= words.length && formatOrdinal(index) === word ? index : null
}
