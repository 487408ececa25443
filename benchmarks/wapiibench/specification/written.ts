/**
 * How a specification has values written: lists and objects as one text, by style, or as JSON. What is read
 * here is read alike of a request and of what is expected of it.
 */
import { getOwnMember, type JsonValue } from '@stateeval/contracts'
import { isTooDeep } from '../capture/depth.ts'

/** An argument of a request, as far as its writing is described. */
export interface WrittenField {
  name: string
  type?: string
  style?: string
  explode?: boolean
  json?: true
  properties?: readonly string[]
  open?: boolean
}

/** The style of a place where the specification names none, and what stands between members of one text. */
export const usualStyles: Readonly<Record<string, string>> = {
  query: 'form',
  cookie: 'form',
  path: 'simple',
  header: 'simple',
}
const dividers: Readonly<Record<string, string>> = {
  form: ',',
  simple: ',',
  label: ',',
  matrix: ',',
  pipeDelimited: '|',
  spaceDelimited: ' ',
}

const isList = ({ type = '' }: WrittenField) => type.startsWith('array')
const isObject = ({ type }: WrittenField) => type === 'object'
const isNested = (field: WrittenField) => isList(field) || isObject(field)
export const isExploded = ({ style = 'form', explode }: WrittenField) => explode ?? style === 'form'

/** JSON of a list or an object; undefined where the text is something else. */
export function parseNestedJson(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    const value = JSON.parse(text) as JsonValue
    return isTooDeep(value) ? undefined : value
  } catch {
    return undefined
  }
}

/** A text of a query, a cookie or a form, where it isn't exploded, as the value that it means. */
export function parsePairText(text: string, field: WrittenField): JsonValue {
  if (field.json) return parseNestedJson(text) ?? text
  if (!isNested(field) || isExploded(field)) return text
  return splitObjectText(text, getOwnMember(dividers, field.style ?? 'form') ?? ',', field)
}

/** A text of a path or a header as the value that it means. */
export function parsePlaceText(text: string, field: WrittenField): JsonValue {
  const { name, style = 'simple', explode = false } = field
  if (field.json) return parseNestedJson(text) ?? text
  if (style === 'label') {
    if (!text.startsWith('.')) return createUnstyled(text)
    const rest = text.slice(1)
    return isNested(field) ? splitObjectText(rest, explode ? '.' : ',', field, explode) : rest
  }
  if (style === 'matrix') {
    if (!text.startsWith(';')) return createUnstyled(text)
    const parts = text.slice(1).split(';')
    if (isObject(field) && explode) return buildPairObject(parts.map((part) => part.split('=')))
    const prefix = `${name}=`
    if (parts.some((part) => !part.startsWith(prefix))) return createUnstyled(text)
    const values = parts.map((part) => part.slice(prefix.length))
    if (isList(field) && explode) return values
    return isNested(field) && values.length === 1 ? splitObjectText(values[0]!, ',', field) : values.join(';')
  }
  return isNested(field) ? splitObjectText(text, ',', field, explode) : text
}

/** A text that is not in its style: equal to none that is. */
const createUnstyled = (text: string): JsonValue => ({ [`not in its style: ${text}`]: true })

/** `a,1,b,2` of an object, `a=1,b=2` of an exploded one, `a,b` of a list. */
function splitObjectText(text: string, by: string, field: WrittenField, isExplodedHere = false): JsonValue {
  const parts = text.split(by).map((part) => part.trim())
  if (isList(field)) return parts
  if (isExplodedHere) return buildPairObject(parts.map((part) => part.split('=')))
  if (parts.length % 2 !== 0) return text
  return buildPairObject(parts.flatMap((name, n) => (n % 2 === 0 ? [[name, parts[n + 1]!]] : [])))
}
const buildPairObject = (pairs: readonly string[][]): JsonValue =>
  Object.fromEntries(pairs.map(([name = '', ...rest]) => [name, rest.join('=')]))
