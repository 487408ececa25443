/**
 * Names and argument texts that a sample predicted, for macro F1. A score has numbers only, so each is a
 * metric whose name holds a hash of the text; the aggregate hashes the gold texts of all cases in the same
 * way.
 */
import type { MarkSets } from './published.ts'

/** 53 bits: among a hundred thousand texts, two collide with a chance of one in a million. */
function hashMark(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36)
}

/** More marks of one sample are not kept: ten for each of the calls that are read of an answer at most. */
const maxMarks = 100_000

export const formatFunctionMark = (name: string) => `function/${hashMark(name)}`
export const formatParameterMark = (name: string, argument: string) =>
  `parameter/${hashMark(name)}/${hashMark(argument)}`

/** The marks of a prediction, each 1. */
export function listPredictionMarks({ names, rows }: MarkSets): Record<string, number> {
  const marks: Record<string, number> = {}
  let count = 0
  for (const name of names) {
    if (++count > maxMarks) return marks
    marks[formatFunctionMark(name)] = 1
  }
  for (const [name, row] of rows)
    for (const argument of row) {
      if (++count > maxMarks) return marks
      marks[formatParameterMark(name, argument)] = 1
    }
  return marks
}
