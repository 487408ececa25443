/** A program that was given in pieces: "first this … then this …", each in its own block. */
import type { Language } from '@stateeval/contracts'
import { maxParsed } from '@stateeval/javascript'
import { isParsable } from './language.ts'
import { isEndingInString } from './strings.ts'

const name = /[A-Za-z_$][\w$]*/g
const declarations: Readonly<Record<Language, RegExp>> = {
  javascript:
    /^(?:const|let|var|async function|function|class|import)\s+(?:\*\s*as\s+)?(\{[^}]{0,1000}\}|\[[^\]]{0,1000}\]|[A-Za-z_$][\w$]*)/gm,
  // `import a.b as c, d`, `from a import (b as c, d)`, `def f`, `a, b = …`; not what stands indented.
  python:
    /^(?:import[ \t]+([^\n#]{1,1000})|from[ \t]+[\w.]{1,200}[ \t]+import[ \t]+(\([^)]{0,1000}\)|[^\n#]{1,1000})|(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)|(\w+(?:[ \t]*,[ \t]*\w+){0,50})[ \t]*(?::[^=\n]{1,200})?=(?!=))/gm,
}
/** The name in `a.b as c` is c; in `a.b` it is a. */
const getImportedName = (part: string) =>
  /(?:^|\bas[ \t]+)(\w+)[ \t]*$/.exec(part.trim())?.[1] ?? part.trim().split('.')[0] ?? ''

function listDeclaredNames(code: string, language: Language): string[] {
  return [...code.matchAll(declarations[language])].flatMap(([, first, from, defined, assigned]) => {
    if (language === 'javascript') return (first as string).match(name) ?? []
    const imported = first ?? from
    return imported === undefined
      ? ((defined ?? assigned ?? '').match(name) ?? [])
      : imported.replace(/[()]/g, '').split(',').map(getImportedName)
  })
}

/** Tells whether pieces make a program; for Python, only its strings are checked. */
const isProgram = (code: string, language: Language) =>
  language === 'javascript' ? isParsable(code) : !isEndingInString(code, language)

/**
 * The pieces as one program, where the last one needs what earlier ones declare, and all of them together are
 * a program; null where the last one stands alone. Two versions of one program are no pieces: they declare
 * the same names.
 */
export function joinCodePieces(pieces: readonly string[], language: Language): string | null {
  const last = pieces.at(-1)
  if (pieces.length < 2 || last === undefined) return null
  // Longer ones are not parsed.
  if (pieces.reduce((sum, piece) => sum + piece.length + 1, -1) > maxParsed) return null
  const lastNames = new Set(listDeclaredNames(last, language))
  const bare = last.replace(/'[^'\n]*'|"[^"\n]*"/g, '')
  const used = new Set(bare.match(/(?<![.\w$])[A-Za-z_$][\w$]*/g) ?? [])
  const earlier = pieces.slice(0, -1).flatMap((piece) => listDeclaredNames(piece, language))
  if (
    !earlier.some((one) => used.has(one) && !lastNames.has(one)) ||
    earlier.some((one) => lastNames.has(one))
  )
    return null
  if (pieces.some((piece) => isEndingInString(piece, language))) return null
  const whole = pieces.join('\n')
  return isProgram(whole, language) ? whole : null
}
