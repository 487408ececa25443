/**
 * Patterns of a specification, matched in linear time: a specification and the values come from outside, and
 * a backtracking engine would take for ever on some of them. A pattern means what it means in JavaScript;
 * what the linear engine cannot express, such as a look ahead, is not tried.
 */
import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'

/** JavaScript's white space beyond the engine's own. */
const blanks = String.raw`\s\x0b\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
/** Escapes that the engine knows and JavaScript does not. */
const foreign = /[ACEGQZaz]/
/** Longer patterns and values are not tried. */
const maxLength = 1000

const compiledPatterns = new LRUCache<string, { engine: RE2JS | null }>({ max: 500 })

/** Searches a text for the pattern; null where that is not tried. */
export function matchPattern(pattern: string, text: string): boolean | null {
  if (pattern.length > maxLength || text.length > maxLength) return null
  const known = compiledPatterns.get(pattern) ?? { engine: compilePattern(pattern) }
  compiledPatterns.set(pattern, known)
  return known.engine && known.engine.matcher(text).find()
}

function compilePattern(pattern: string): RE2JS | null {
  if (!isJavaScript(pattern)) return null
  const translated = translate(pattern)
  if (translated === null) return null
  try {
    return RE2JS.compile(RE2JS.translateRegExp(translated))
  } catch {
    return null
  }
}

/** Many specifications have patterns that are valid without the flag `u` only. */
const isJavaScript = (pattern: string) =>
  ['u', ''].some((flags) => {
    try {
      return new RegExp(pattern, flags)
    } catch {
      return false
    }
  })

/** The pattern with signs in JavaScript's meaning; null where the engine has none for one of them. */
function translate(pattern: string): string | null {
  let text = ''
  let inSet = false
  for (let at = 0; at < pattern.length; at++) {
    const sign = pattern[at]!
    if (sign === '\\') {
      const next = pattern[++at]!
      if (foreign.test(next) || (next === 'S' && inSet)) return null
      text +=
        next === 's' ? (inSet ? blanks : `[${blanks}]`) : next === 'S' ? `[^${blanks}]` : `${sign}${next}`
    } else if (sign === '[' && inSet) text += String.raw`\[`
    else if (sign === '.' && !inSet) text += String.raw`[^\n\r\x{2028}\x{2029}]`
    else {
      if (sign === '[') inSet = true
      else if (sign === ']') inSet = false
      text += sign
    }
  }
  return text
}
