/**
 * Finds a bijection of ids, or proves that there is none: forced pairs first, then choices that are
 * reverted on contradiction.
 */
import type { ElementClass, ElementMatching } from './matching.ts'

interface MatchingChoice {
  of: ElementClass
  element: number
  candidates: number[]
  mark: number
}

/**
 * Tells whether every element of every class can be paired consistently. Throws WorkBoundPassed if that takes
 * too long.
 */
export function search(matching: ElementMatching): boolean {
  const choices: MatchingChoice[] = []
  let consistent = settleMatching(matching)
  for (;;) {
    if (consistent) {
      const next = chooseNext(matching)
      if (!next) return true
      choices.push(next)
    }
    const choice = choices[choices.length - 1]
    if (!choice) return false
    matching.undoTo(choice.mark)
    const candidate = choice.candidates.shift()
    if (candidate === undefined) {
      choices.pop()
      consistent = false
      continue
    }
    consistent = commitCandidate(matching, choice.of, choice.element, candidate) && settleMatching(matching)
  }
}

/** Pairs what has one possibility left, until nothing is forced any more; false on a contradiction. */
function settleMatching(matching: ElementMatching): boolean {
  for (let changed = true; changed;) {
    changed = false
    // The list grows while it is walked: a pair may open further unordered parts.
    for (let c = 0; c < matching.classes.length; c++) {
      const of = matching.classes[c] as ElementClass
      for (let element = 0; of.left > 0 && element < of.expected.length; element++) {
        if (of.done[element]) continue
        const candidateIndexes = listCandidates(matching, of, element, of.loose ? 1 : 2)
        const [only, second] = candidateIndexes
        if (only === undefined) return false
        if (second !== undefined) continue
        if (!commitCandidate(matching, of, element, only)) return false
        changed = true
      }
    }
  }
  return true
}

function listCandidates(
  matching: ElementMatching,
  of: ElementClass,
  element: number,
  maxCandidates: number,
): number[] {
  const indexes: number[] = []
  // From the same place on: where both lists have the same order, the first try fits.
  for (let n = 0; n < of.actual.length && indexes.length < maxCandidates; n++) {
    matching.visit()
    const index = (element + n) % of.actual.length
    if (!of.isTaken[index] && matching.fits(of.expected[element], of.actual[index])) indexes.push(index)
  }
  return indexes
}

function commitCandidate(
  matching: ElementMatching,
  of: ElementClass,
  element: number,
  candidate: number,
): boolean {
  matching.change(
    () => ((of.done[element] = true), (of.isTaken[candidate] = true), of.left--),
    () => ((of.done[element] = false), (of.isTaken[candidate] = false), of.left++),
  )
  return matching.unify(of.expected[element], of.actual[candidate])
}

/** An element of the smallest class that is left. */
function chooseNext(matching: ElementMatching): MatchingChoice | undefined {
  const of = matching.classes.filter(({ left }) => left > 0).sort((a, b) => a.left - b.left)[0]
  if (!of) return undefined
  const element = of.done.indexOf(false)
  return {
    of,
    element,
    candidates: listCandidates(matching, of, element, Number.POSITIVE_INFINITY),
    mark: matching.mark(),
  }
}
