/** The right API with other arguments: what that says. */
import { type JsonValue, getOwnMember, canonicalJson, isRecord } from '@stateeval/contracts'
import { listDifferingArguments } from './align.ts'
import type { ObservedCall } from './observed.ts'
import { type ArgumentEdit, createCause, type RootCauseEvidence, type ExpectedCall } from './situation.ts'
import { formatCallPair, shortenPair } from './texts.ts'

const isSameOptional = (a: JsonValue | undefined, b: JsonValue | undefined) =>
  canonicalJson(a ?? null) === canonicalJson(b ?? null)
const isToken = (value: JsonValue | undefined): value is string =>
  typeof value === 'string' && /^<(?:initial|created|other) \d+>$/.test(value)
/** Texts by which JavaScript and Python show a value that is not there, or that is no text. */
export const isAbsent = (value: JsonValue | undefined) =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && /^(?:undefined|null|NaN|None|)$/.test(value))
const isObjectText = (value: JsonValue | undefined) =>
  typeof value === 'string' && /^\[object \w+\]|^[[{].*[\]}]$/.test(value)

/** The calls before, oldest first. */
export function explainOtherArguments(
  expected: ExpectedCall,
  actual: ObservedCall,
  before: readonly ObservedCall[],
): RootCauseEvidence {
  const names = listDifferingArguments(expected, actual)
  const id = names.find((name) => isToken(getOwnMember(expected.args, name)))
  const name = id ?? names.find((one) => getOwnMember(actual.args, one) === undefined) ?? names[0] ?? ''
  const [expectedValue, foundValue] = [getOwnMember(expected.args, name), getOwnMember(actual.args, name)]
  const more = { api: expected.api, argument: name, ...formatCallPair(expected, actual) }
  const texts = shortenPair(expectedValue, foundValue)
  const says = `${expected.api} got ${texts.found} as ${name} instead of ${texts.expected}`
  const misread = (kind: 'unknown_parameter' | 'unknown_property' | 'wrong_form', why: string) =>
    createCause('documentation_misread', kind, `${says}: ${why}`, more)
  const mismanaged = (
    kind: 'stale_id' | 'missing_id' | 'other_item' | 'wrong_shape' | 'empty_result',
    why: string,
  ) => createCause('implicit_state_mismanaged', kind, `${says}: ${why}`, more)

  if (actual.unknown.length > 0)
    return misread('unknown_parameter', `${actual.unknown.join(', ')} is not a parameter of this API`)
  if (names.length > 1 && explainExchange(expected, actual, names))
    return misread('unknown_parameter', `${names.join(' and ')} are exchanged`)
  if (id !== undefined) return explainOtherId(foundValue, { before, misread, mismanaged })
  if (isAbsent(foundValue) || isObjectText(foundValue)) {
    if (isObjectText(foundValue))
      return mismanaged('wrong_shape', 'a whole object was passed instead of a single value')
    if (actual.status === 400 && foundValue === undefined)
      return misread('unknown_parameter', 'a parameter that the API needs is missing')
    if (getOwnMember(expected.sources, name) === 'answer') {
      if (isEmptyBefore(before)) return mismanaged('empty_result', 'it was read from an answer that is empty')
      return misread('unknown_property', 'it was read from a property that the answer does not have')
    }
    return createCause('instruction_not_followed', 'other_arguments', says, more)
  }
  const form = explainWrongForm(expected, expectedValue, foundValue)
  if (form !== null) return misread(form.kind, form.why)
  const edits = getOwnMember(expected.edited ?? {}, name) ?? []
  const source = findEditedSource(expectedValue, foundValue, edits) ?? getOwnMember(expected.sources, name)
  return source === 'answer'
    ? mismanaged('other_item', 'the value is that of another item or answer')
    : createCause('instruction_not_followed', 'other_arguments', says, more)
}

interface ArgumentSentences {
  before: readonly ObservedCall[]
  misread: (kind: 'unknown_property', why: string) => RootCauseEvidence
  mismanaged: (
    kind: 'stale_id' | 'missing_id' | 'other_item' | 'wrong_shape' | 'empty_result',
    why: string,
  ) => RootCauseEvidence
}
/** Explains an id that belongs to another place. */
export function explainOtherId(
  foundValue: JsonValue | undefined,
  { before, misread, mismanaged }: ArgumentSentences,
): RootCauseEvidence {
  if (isObjectText(foundValue) || (foundValue !== null && typeof foundValue === 'object'))
    return mismanaged('wrong_shape', 'an object was passed instead of its id')
  if (isAbsent(foundValue)) {
    return isEmptyBefore(before)
      ? mismanaged('empty_result', 'it was read from an answer that is empty')
      : misread('unknown_property', 'it was read from a property that the answer does not have')
  }
  if (!isToken(foundValue)) return mismanaged('missing_id', 'the service never issued such an id')
  const deleted = before.some(
    ({ changes, status, answer, args }) =>
      changes &&
      status < 400 &&
      answer === undefined &&
      Object.values(args).includes(foundValue) &&
      !('data' in args) &&
      !('body' in args),
  )
  return deleted
    ? mismanaged('stale_id', 'that item had been deleted by then')
    : mismanaged('other_item', 'that is another item')
}

/** Tells whether the last list that a call returned is empty. */
export const isEmptyBefore = (before: readonly ObservedCall[]) => {
  const last = before.findLast(({ answer, status }) => Array.isArray(answer) && status < 400)?.answer
  return Array.isArray(last) && last.length === 0
}

function explainExchange(expected: ExpectedCall, actual: ObservedCall, names: readonly string[]): boolean {
  const texts = (args: Readonly<Record<string, JsonValue>>) =>
    names.map((name) => canonicalJson(getOwnMember(args, name) ?? null)).sort()
  return isSameOptional(texts(expected.args), texts(actual.args))
}

/** Values that hold the right thing in another form than the documentation asks for. */
function explainWrongForm(
  { api, changes }: ExpectedCall,
  expectedValue: JsonValue | undefined,
  foundValue: JsonValue | undefined,
): { kind: 'unknown_parameter' | 'wrong_form'; why: string } | null {
  if (typeof expectedValue === 'string' && typeof foundValue === 'string') {
    const partial = expectedValue.endsWith(`.${foundValue}`) || foundValue.endsWith(`.${expectedValue}`)
    if (partial) return { kind: 'unknown_parameter', why: 'the path of the field is not the documented one' }
    const pattern =
      foundValue !== expectedValue &&
      foundValue.replace(/^[\^/*%~]+/, '').replace(/(?<![$/*%~])[$/*%~]+$/, '') === expectedValue
    return pattern
      ? { kind: 'unknown_parameter', why: 'a pattern was passed instead of a plain value' }
      : null
  }
  if (typeof foundValue === 'string' && typeof expectedValue === 'object')
    return { kind: 'wrong_form', why: 'a text was passed instead of an object' }
  if (!isRecord(expectedValue) || !isRecord(foundValue)) return null
  if (
    Object.entries(foundValue).some(
      ([key, value]) =>
        !Object.hasOwn(expectedValue, key) &&
        isRecord(value) &&
        (isSameOptional(value, expectedValue) || isLikely(value, expectedValue)),
    )
  )
    return { kind: 'wrong_form', why: 'the body holds it inside another object' }
  if (Object.entries(expectedValue).some(([, value]) => isSameOptional(value, foundValue)))
    return { kind: 'wrong_form', why: 'the body is a part of it' }
  const keys = Object.keys(foundValue)
  if (keys.some((key) => !Object.hasOwn(expectedValue, key) && /^\$|\w\.\w/.test(key)))
    return { kind: 'wrong_form', why: 'the body is a change to be made, but the API takes the whole' }
  const subset =
    keys.length > 0 &&
    keys.length < Object.keys(expectedValue).length &&
    keys.every((key) => Object.hasOwn(expectedValue, key))
  if (subset && changes && /^(?:update|put|replace)/i.test(api))
    return { kind: 'wrong_form', why: 'only a part is sent, but the API replaces all' }
  return null
}
/** Mostly the same keys: the same thing with a change in it. */
const isLikely = (a: Record<string, JsonValue>, b: Record<string, JsonValue>) => {
  const [keys, others] = [Object.keys(a), Object.keys(b)]
  return (
    keys.length > 0 &&
    keys.filter((key) => others.includes(key)).length / Math.max(keys.length, others.length) > 0.6
  )
}

/** Where that comes from which differs, if the program itself has set all of it; else null. */
function findEditedSource(
  expectedValue: JsonValue | undefined,
  foundValue: JsonValue | undefined,
  edits: readonly ArgumentEdit[],
): ArgumentEdit['source'] | null {
  if (edits.length === 0) return null
  const setters = listDifferences(expectedValue, foundValue, []).map((path) =>
    edits.findLast((edit) => edit.path.every((key, n) => path[n] === key)),
  )
  if (setters.length === 0 || setters.includes(undefined)) return null
  return setters.some((edit) => edit?.source === 'answer') ? 'answer' : 'given'
}
function listDifferences(
  a: JsonValue | undefined,
  b: JsonValue | undefined,
  path: readonly (string | number)[],
): (readonly (string | number)[])[] {
  if (isSameOptional(a, b)) return []
  if (isRecord(a) && isRecord(b))
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) =>
      listDifferences(getOwnMember(a, key), getOwnMember(b, key), [...path, key]),
    )
  return [path]
}
