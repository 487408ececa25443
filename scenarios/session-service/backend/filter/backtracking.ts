/**
 * MongoDB matches patterns by PCRE2, which goes back and tries another way where a pattern can match a text
 * in several. It gives up after 200,000 ways for a text. A document can hold many short texts, so that bound
 * alone would allow minutes for a document.
 */

/** MATCH_LIMIT of MongoDB's build of PCRE2. */
export const maxWays = 200_000
const maxLength = 2 ** 18

/** In how many ways a part of a pattern may match the beginning of a text of a length. */
type WayCount = (length: number) => number

const oneWay: WayCount = () => 1
const inSequence =
  (parts: readonly WayCount[]): WayCount =>
  (length) =>
    parts.reduce((product, part) => Math.min(maxWays, product * part(length)), 1)
const inAlternatives =
  (parts: readonly WayCount[]): WayCount =>
  (length) =>
    parts.reduce((sum, part) => sum + part(length), 0)
const repeated =
  (part: WayCount, most: number): WayCount =>
  (length) => {
    const each = part(length)
    const times = Math.min(most, length)
    if (each === 1) return 1 + times
    let [sum, ways] = [1, 1]
    for (let n = 0; n < times && sum < maxWays; n++) sum += ways *= each
    return sum
  }

/** The parts of a pattern: quoted texts, escapes, classes, groups, repetitions, single characters. */
const parts =
  /\\Q[^]*?(?:\\E|$)|\\[pPx]\{[^}]*\}|\\[^]|\[\^?\]?(?:\\[^]|\[:\^?[a-z]*:\]|[^\]\\])*\]|\((?:\?(?:P?<[^>]*>|[a-zA-Z-]*[:)]))?|[*+?]\??|\{\d+(?:,\d*)?\}\??|[^]/gy

function readWays(pattern: string): WayCount {
  const open: { alternatives: WayCount[]; sequence: WayCount[] }[] = []
  let group = { alternatives: [] as WayCount[], sequence: [] as WayCount[] }
  const end = () => inAlternatives([...group.alternatives, inSequence(group.sequence)])
  for (const [part] of pattern.matchAll(parts)) {
    const most = readMost(part)
    if (most !== undefined) group.sequence.push(repeated(group.sequence.pop() ?? oneWay, most))
    else if (part === '|') {
      group.alternatives.push(inSequence(group.sequence))
      group.sequence = []
    } else if (part.startsWith('(') && !part.endsWith(')')) {
      open.push(group)
      group = { alternatives: [], sequence: [] }
    } else if (part === ')') {
      const ways = end()
      group = open.pop() ?? group
      group.sequence.push(ways)
    } else group.sequence.push(oneWay)
  }
  return end()
}

/** How often a repetition repeats at most; undefined for other parts. */
function readMost(part: string): number | undefined {
  if (/^[*+]\??$/.test(part)) return Infinity
  if (/^\?\??$/.test(part)) return 1
  const [, least, rest] = /^\{(\d+)(,\d*)?\}/.exec(part) ?? []
  if (least === undefined) return undefined
  if (rest === undefined) return Number(least)
  return rest === ',' ? Infinity : Number(rest.slice(1))
}

/** How often a matcher that goes back looks at each character of a text, in the worst of all texts. */
export function measureBacktracking(pattern: string): number {
  const ways = readWays(pattern)
  let most = 1
  // Each character may begin a match. Lengths between two of these have no more ways than the longer one.
  for (let length = 1; length <= maxLength; length *= 2)
    most = Math.max(most, Math.min(maxWays / length, ways(2 * length)))
  return Math.ceil(most)
}
