/** Long texts in explanations. */

export const cutText = (text: string, longest: number, from = 0): string => {
  const end = from + longest
  return `${from > 0 ? '…' : ''}${text.slice(from, end)}${text.length > end ? '…' : ''}`
}

/** Two texts that differ, cut so that they still do: around their first difference, if they are long. */
export function cutApart(one: string, other: string, longest: number): [string, string] {
  const isLong = Math.max(one.length, other.length) > longest
  let same = 0
  while (isLong && same < one.length && one[same] === other[same]) same++
  // As much in front of the difference as leaves it well inside.
  const from = same < longest * 0.7 || one === other ? 0 : same - Math.floor(longest / 3)
  return [cutText(one, longest, from), cutText(other, longest, from)]
}
