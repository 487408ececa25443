/** Texts of JSON values as Python writes them: json.dumps, and repr of what stands in messages. */
import { isDict, type PythonValue } from './value.ts'

/** repr of a float: the shortest digits, with an exponent below 1e-4 and from 1e16 on. */
function formatFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity'
  if (Object.is(value, -0)) return '-0.0'
  const [digits = '', power = '0'] = value.toExponential().split('e')
  const exponent = Number(power)
  if (exponent >= -4 && exponent < 16) {
    const text =
      exponent < 0 ? value.toFixed(digits.replace(/[-.]/g, '').length - 1 - exponent) : String(value)
    return text.includes('.') ? text : `${text}.0`
  }
  const size = String(Math.abs(exponent)).padStart(2, '0')
  return `${digits}e${exponent < 0 ? '-' : '+'}${size}`
}

const escapeAscii = (text: string) =>
  text.replace(/[\u007f-\uffff]/g, (character) =>
    character === '\u007f' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

function quotePython(text: string, ascii: boolean): string {
  // JSON.stringify escapes lone surrogates; Python leaves them where it escapes nothing.
  const json = JSON.stringify(text)
  return ascii ? escapeAscii(json) : json
}

/** json.dumps(value), with ensure_ascii or without: a blank behind commas and colons. */
export function dumpJson(value: PythonValue, { ascii }: { ascii: boolean }): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `[${value.map((one) => dumpJson(one, { ascii })).join(', ')}]`
  if (isDict(value)) {
    const members = [...value].map(
      ([name, one]) => `${quotePython(name, ascii)}: ${dumpJson(one, { ascii })}`,
    )
    return `{${members.join(', ')}}`
  }
  if (typeof value === 'string') return quotePython(value, ascii)
  return typeof value === 'number' ? formatFloat(value) : String(value)
}

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' }

/** Characters that are unprintable in Python are written by its code. */
function escapeUnprintable(code: number): string {
  const [letter, width] = code < 0x100 ? ['x', 2] : code < 0x10000 ? ['u', 4] : ['U', 8]
  return `\\${letter}${code.toString(16).padStart(Number(width), '0')}`
}

/** repr of a text: single quotes, unless it holds some and no double ones. */
function formatTextRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const inner = text.replace(/[\\']|(?! )[\p{C}\p{Z}]/gu, (character) => {
    if (character === "'") return quote === "'" ? "\\'" : character
    return named[character] ?? escapeUnprintable(character.codePointAt(0)!)
  })
  return `${quote}${inner}${quote}`
}

/** Python's repr of a JSON value. */
export function formatRepr(value: PythonValue): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return formatTextRepr(value)
  if (Array.isArray(value)) return `[${value.map(formatRepr).join(', ')}]`
  if (isDict(value))
    return `{${[...value].map(([name, one]) => `${formatTextRepr(name)}: ${formatRepr(one)}`).join(', ')}}`
  return typeof value === 'number'
    ? formatFloat(value).replace('NaN', 'nan').replace('Infinity', 'inf')
    : String(value)
}
export const listRepr = (names: readonly string[]) => formatRepr([...names])
/** A set's text. Python's order of a set of texts is random; here it is that of the list. */
export const setRepr = (names: readonly string[]) => `{${names.map(formatTextRepr).join(', ')}}`
