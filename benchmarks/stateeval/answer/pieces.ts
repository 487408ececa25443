/** A program that was given in pieces: "first this … then this …", each in a block of its own. */
import { maxParsed } from '@stateeval/javascript'
import { parses } from './language.ts'

const declaredNames = (code: string) =>
  [
    ...code.matchAll(
      /^(?:const|let|var|async function|function|class|import)\s+(?:\*\s*as\s+)?(\{[^}]{0,1000}\}|\[[^\]]{0,1000}\]|[A-Za-z_$][\w$]*)/gm,
    ),
  ].flatMap(([, names]) => (names as string).match(/[A-Za-z_$][\w$]*/g) ?? [])

/**
 * The pieces as one program, where the last one needs what earlier ones declare, and all of them together are
 * a program; null where the last one stands alone. Two versions of one program are no pieces: they declare
 * the same names.
 */
export function joined(pieces: readonly string[]): string | null {
  const last = pieces.at(-1)
  if (pieces.length < 2 || last === undefined) return null
  // Longer ones are not parsed.
  if (pieces.reduce((sum, piece) => sum + piece.length + 1, -1) > maxParsed) return null
  const lastNames = new Set(declaredNames(last))
  const used = new Set(last.replace(/'[^'\n]*'|"[^"\n]*"/g, '').match(/(?<![.\w$])[A-Za-z_$][\w$]*/g) ?? [])
  const earlier = pieces.slice(0, -1).flatMap(declaredNames)
  if (
    !earlier.some((name) => used.has(name) && !lastNames.has(name)) ||
    earlier.some((name) => lastNames.has(name))
  )
    return null
  const whole = pieces.join('\n')
  return parses(whole) ? whole : null
}
