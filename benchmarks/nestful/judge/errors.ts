/**
 * Errors of an answer by type: found where the sound alignment of gold and predicted calls shows a
 * difference.
 */
import { cutApart, cutText } from '@stateeval/program'
import { isDict, type PyValue, formatPyRepr, formatPyStr } from '../python/value.ts'
import type { errorTypes } from '../presentation/names.ts'
import { alikeByName, sameByPairs } from './align.ts'
import { type LinkedCalls, type ReferenceLink, listLinks } from './calls.ts'
import type { SoundMatch } from './sound.ts'
import { isSameValue } from './values.ts'

export type ErrorType = (typeof errorTypes)[number]

export interface AnswerError {
  type: ErrorType
  /** A name of an API, and of an argument, where it shows. */
  api?: string
  argument?: string
  /** The call of the answer, `call 2`, and its argument, `call 2.city`; or the call that it lacks. */
  where: string
  expected?: string
  found?: string
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
          where: formatPlace(elsewhere),
          says: `${name} is call ${elsewhere + 1}; it belongs ${describeOrder(match, i)}`,
        })
      } else errors.push(createMissingCall(match, i))
    } else if (prediction.calls[j]!.name !== name)
      errors.push(createWrongName(name, prediction.calls[j]!.name, j, context))
    else if (!equal[i]) errors.push(...listArgumentErrors(match, i, j, context))
  }
  for (const j of extra) {
    const call = prediction.calls[j]!
    const { name } = call
    if (moved.has(j)) continue
    errors.push({
      ...(context.isApi(name)
        ? { type: 'missing_or_extra_call', api: name, says: `call ${j + 1} (${name}) is superfluous` }
        : createHallucination(name, `call ${j + 1}: there is no API ${name.slice(0, 100)}`)),
      where: formatPlace(j),
      found: cutText(formatCall(call), longestValue),
    })
    if (errors.length >= maxErrors) break
  }
  for (const label of prediction.repeated)
    errors.push({
      type: 'wrong_label',
      where: `label ${label}`.slice(0, 100),
      says: `several calls have the label ${label}`,
    })
  return errors.slice(0, maxErrors)
}

const formatPlace = (j: number, argument?: string) =>
  `call ${j + 1}${argument === undefined ? '' : `.${argument.slice(0, 100)}`}`

/** Where a gold call belongs among the calls that stand for others. */
function describeOrder({ prediction, alignment: { pairs } }: SoundMatch, i: number): string {
  const before = pairs.slice(0, i).findLast((j) => j !== null)
  const j = before ?? pairs.slice(i).find((one) => one !== null) ?? 0
  return `${before === undefined ? 'before' : 'behind'} ${formatPlace(j)} (${prediction.calls[j]!.name.slice(0, 100)})`
}

/** Length of a value, and of a call, in an explanation. */
const longestValue = 120
const formatCall = ({ name, args }: LinkedCalls['calls'][number]) =>
  `${name.slice(0, 100)}(${[...args].map(([key, value]) => `${key} = ${formatPyRepr(value)}`).join(', ')})`

const createHallucination = (name: string, says: string) =>
  ({ type: 'hallucinated_api', api: name.slice(0, 100), says }) as const

function createWrongName(name: string, actualName: string, j: number, context: ErrorContext): AnswerError {
  const place = { where: formatPlace(j), expected: name, found: actualName.slice(0, 100) }
  if (!context.isApi(actualName)) {
    const says = `there is no API ${place.found}; expected ${name}`
    return { ...place, ...createHallucination(actualName, says) }
  }
  return { ...place, type: 'wrong_api', api: name, says: `call ${j + 1} is ${actualName}; expected ${name}` }
}

/** A call that only serves another one, by its result, is the one that the instruction need not mention. */
function createMissingCall({ gold }: SoundMatch, i: number): AnswerError {
  const call = gold.calls[i]!
  const { name } = call
  const place = {
    api: name,
    where: `expected call ${i + 1}`,
    expected: cutText(formatCall(call), longestValue),
  }
  const serves = gold.calls.some((_, at) => at > i && listLinks(gold, at).some(({ target }) => target === i))
  const says = `call ${i + 1} (${name}) is missing`
  return serves
    ? { ...place, type: 'missed_implicit_call', says: `${says}, and others need its result` }
    : { ...place, type: 'missing_or_extra_call', says }
}

function listArgumentErrors(match: SoundMatch, i: number, j: number, context: ErrorContext): AnswerError[] {
  const { gold, prediction, graphPairs } = match
  const [a, b] = [gold.calls[i]!, prediction.calls[j]!]
  const at = (argument: string) => ({ api: a.name, argument, where: formatPlace(j, argument) })
  if (b.isBroken) {
    const says = `the arguments of ${a.name} cannot be read`
    return [{ type: 'wrong_argument', api: a.name, where: formatPlace(j), says }]
  }
  const same = sameByPairs(gold, prediction, graphPairs)
  const errors: AnswerError[] = []
  for (const [argument, value] of a.args) {
    const other = b.args.get(argument)
    if (other === undefined) {
      const type = context.isRequired(a.name, argument) ? 'missing_required_parameter' : 'wrong_argument'
      const expected = cutRepr(value)
      errors.push({ type, ...at(argument), expected, says: `${argument} of ${a.name} is missing` })
    } else if (!isSameValue(value, other, { gold, prediction, i, j }, same)) {
      const type = classifyDifference(match, { i, j, value, other }, context)
      const [expected, found] = describeApart(match, { i, j, value, other })
      errors.push({
        ...{ type, ...at(argument), expected, found },
        says: `${argument} of ${a.name} is ${found}; expected ${expected}`,
      })
    }
  }
  for (const [argument, value] of b.args)
    if (!a.args.has(argument))
      errors.push({
        ...{ type: 'wrong_argument', ...at(argument), found: cutRepr(value) },
        says: `${argument} of ${a.name} is not expected`,
      })
  return errors
}
const cutRepr = (value: PyValue) => cutText(formatPyRepr(value), longestValue)

/** Two values that differ; references with the calls of the answer that they lead to, or should lead to. */
function describeApart(match: SoundMatch, { i, j, value, other }: DifferingArgument): [string, string] {
  const { gold, prediction, graphPairs } = match
  const describeCall = (at: number) => `${formatPlace(at)}, ${prediction.calls[at]!.name.slice(0, 100)}`
  const wanted = listSideLinks(match, 'gold', i, value).map(({ target }) => {
    if (typeof target !== 'number') return deadEnds[target]
    const partner = graphPairs[target] ?? null
    return partner === null ? `${gold.calls[target]!.name}, which is missing` : describeCall(partner)
  })
  const led = listSideLinks(match, 'prediction', j, other).map(({ target }) =>
    typeof target === 'number' ? describeCall(target) : deadEnds[target],
  )
  const [expected, found] = cutApart(formatPyRepr(value), formatPyRepr(other), longestValue)
  return [addTargets(expected, wanted), addTargets(found, led)]
}
const deadEnds = { unknown: 'no call', forward: 'a later call', itself: 'the call itself' } as const
const addTargets = (text: string, targets: readonly string[]) =>
  targets.length === 0 ? text : `${text} (${targets.join('; ')})`

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
