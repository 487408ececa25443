/**
 * Errors of an answer by type: found where the sound alignment of gold and predicted calls shows a
 * difference.
 */
import { isDict, type PyValue, formatPyRepr, formatPyStr } from '../python/value.ts'
import type { errorTypes } from '../presentation/names.ts'
import { alikeByName, sameByPairs } from './align.ts'
import { type ReferenceLink, listLinks } from './calls.ts'
import type { SoundMatch } from './sound.ts'
import { isSameValue } from './values.ts'

export type ErrorType = (typeof errorTypes)[number]

export interface AnswerError {
  type: ErrorType
  /** A name of an API, and of an argument, where it shows. */
  api?: string
  argument?: string
  says: string
}

export interface ErrorContext {
  /** The instruction: values that do not stand in it, or in the gold calls, are invented. */
  instruction: string
  isApi: (name: string) => boolean
  isRequired: (api: string, parameter: string) => boolean
}

/** The most errors of one answer that the score names. */
const maxErrors = 50

export function listErrors(match: SoundMatch, context: ErrorContext): AnswerError[] {
  const { gold, prediction, alignment, equal } = match
  const { pairs } = alignment
  if (prediction.calls.length === 0 && gold.calls.length > 0) return []
  const errors: AnswerError[] = []
  const paired = new Set(pairs)
  const extra = [...prediction.calls.keys()].filter((j) => !paired.has(j))
  const moved = new Set<number>()
  for (const [i, j] of pairs.entries()) {
    const { name } = gold.calls[i]!
    if (j === null) {
      const elsewhere = extra.find((at) => prediction.calls[at]!.name === name && !moved.has(at))
      if (elsewhere !== undefined) {
        moved.add(elsewhere)
        errors.push({
          type: 'order',
          api: name,
          says: `${name} is call ${elsewhere + 1}; it belongs at place ${i + 1}`,
        })
      } else errors.push(createMissingCall(match, i))
    } else if (prediction.calls[j]!.name !== name)
      errors.push(createWrongName(name, prediction.calls[j]!.name, i, context))
    else if (!equal[i]) errors.push(...listArgumentErrors(match, i, j, context))
  }
  for (const j of extra) {
    const { name } = prediction.calls[j]!
    if (moved.has(j)) continue
    errors.push(
      context.isApi(name)
        ? { type: 'missing_or_extra_call', api: name, says: `call ${j + 1} (${name}) is superfluous` }
        : createHallucination(name, j),
    )
    if (errors.length >= maxErrors) break
  }
  for (const label of prediction.repeated)
    errors.push({ type: 'wrong_label', says: `several calls have the label ${label}` })
  return errors.slice(0, maxErrors)
}

const createHallucination = (name: string, j: number): AnswerError => ({
  type: 'hallucinated_api',
  api: name.slice(0, 100),
  says: `call ${j + 1}: there is no API ${name.slice(0, 100)}`,
})

function createWrongName(name: string, actualName: string, i: number, context: ErrorContext): AnswerError {
  if (!context.isApi(actualName))
    return {
      ...createHallucination(actualName, i),
      says: `there is no API ${actualName.slice(0, 100)}; expected ${name}`,
    }
  return { type: 'wrong_api', api: name, says: `call ${i + 1} is ${actualName}; expected ${name}` }
}

/** A call that only serves another one, by its result, is the one that the instruction need not mention. */
function createMissingCall({ gold }: SoundMatch, i: number): AnswerError {
  const { name } = gold.calls[i]!
  const serves = gold.calls.some((_, at) => at > i && listLinks(gold, at).some(({ target }) => target === i))
  return serves
    ? {
        type: 'missed_implicit_call',
        api: name,
        says: `call ${i + 1} (${name}) is missing, and others need its result`,
      }
    : { type: 'missing_or_extra_call', api: name, says: `call ${i + 1} (${name}) is missing` }
}

function listArgumentErrors(match: SoundMatch, i: number, j: number, context: ErrorContext): AnswerError[] {
  const { gold, prediction, graphPairs } = match
  const [a, b] = [gold.calls[i]!, prediction.calls[j]!]
  const at = (argument: string) => ({ api: a.name, argument })
  if (b.isBroken)
    return [{ type: 'wrong_argument', api: a.name, says: `the arguments of ${a.name} cannot be read` }]
  const same = sameByPairs(gold, prediction, graphPairs)
  const errors: AnswerError[] = []
  for (const [argument, value] of a.args) {
    const other = b.args.get(argument)
    if (other === undefined) {
      const type = context.isRequired(a.name, argument) ? 'missing_required_parameter' : 'wrong_argument'
      errors.push({ type, ...at(argument), says: `${argument} of ${a.name} is missing` })
    } else if (!isSameValue(value, other, { gold, prediction, i, j }, same)) {
      const type = classifyDifference(match, { i, j, value, other }, context)
      errors.push({
        type,
        ...at(argument),
        says: `${argument} of ${a.name} is ${cutRepr(other)}; expected ${cutRepr(value)}`,
      })
    }
  }
  for (const argument of b.args.keys())
    if (!a.args.has(argument))
      errors.push({
        type: 'wrong_argument',
        ...at(argument),
        says: `${argument} of ${a.name} is not expected`,
      })
  return errors
}
const cutRepr = (value: PyValue) => formatPyRepr(value).slice(0, 120)

interface DifferingArgument {
  i: number
  j: number
  value: PyValue
  other: PyValue
}

function classifyDifference(
  match: SoundMatch,
  { i, j, value, other }: DifferingArgument,
  context: ErrorContext,
): ErrorType {
  const [expected, links] = [
    listSideLinks(match, 'gold', i, value),
    listSideLinks(match, 'prediction', j, other),
  ]
  if (links.length > 0) {
    const same = sameByPairs(match.gold, match.prediction, match.graphPairs)
    // The text beside the references differs.
    if (expected.length === links.length && expected.every((link, at) => same(link, links[at]!)))
      return 'wrong_argument'
    return describeReferenceError(match, j, expected, links)
  }
  // A text that looks like a reference and leads to no call.
  if (typeof other === 'string' && /^\$.*\$?$|^var_?\d+\./.test(other) && expected.length > 0)
    return 'wrong_reference'
  if (expected.length === 0 && typeof value !== 'object' && formatPyStr(value) === formatPyStr(other))
    return 'wrong_data_type'
  if (expected.length === 0 && getJsonKind(value) !== getJsonKind(other)) return 'wrong_data_type'
  return isSaid(other, match, context) ? 'wrong_argument' : 'invented_value'
}

const getJsonKind = (value: PyValue) =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'list'
      : isDict(value)
        ? 'object'
        : typeof value === 'bigint'
          ? 'number'
          : typeof value

function listSideLinks(
  match: SoundMatch,
  side: 'gold' | 'prediction',
  at: number,
  value: PyValue,
): ReferenceLink[] {
  if (typeof value === 'string') return match[side].linksIn(at, value)
  const items = Array.isArray(value) ? value : isDict(value) ? [...value.values()] : []
  return items.flatMap((item) => listSideLinks(match, side, at, item))
}

function describeReferenceError(
  { gold, prediction, graphPairs }: SoundMatch,
  j: number,
  expected: readonly ReferenceLink[],
  links: readonly ReferenceLink[],
): ErrorType {
  for (const { label, target } of links) {
    if (typeof target === 'number') continue
    // A number that the labels of the prompt would have: the calls are labelled otherwise.
    const place = /^var_?(\d+)$/.exec(label)?.[1]
    return target === 'unknown' && place !== undefined && Number(place) <= j
      ? 'wrong_label'
      : 'wrong_reference'
  }
  const [a, b] = [expected[0], links[0]!]
  if (a && alikeByName(gold, prediction)(a, b)) {
    const producer = typeof a.target === 'number' ? gold.calls[a.target]!.name : undefined
    const led = typeof a.target === 'number' ? graphPairs[a.target] : undefined
    const parallel = prediction.calls.filter(({ name }) => name === producer).length > 1
    if (parallel && a.path === b.path && led !== b.target) return 'confused_parallel_calls'
  }
  return 'wrong_reference'
}

/** Tells whether a value stands in the instruction, or anywhere in the gold calls. */
function isSaid(value: PyValue, { gold }: SoundMatch, { instruction }: ErrorContext): boolean {
  if (Array.isArray(value) || isDict(value)) return true
  const text = formatPyStr(value).toLowerCase()
  if (text === '' || instruction.toLowerCase().includes(text)) return true
  return gold.calls.some(({ args }) =>
    [...args.values()].some((one) => formatPyStr(one).toLowerCase() === text),
  )
}
