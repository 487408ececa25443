/** Lists of calls: differences name a call of the answer, its argument, or a call that it lacks. */
import type { JsonValue } from '@stateeval/contracts'
import type { NestfulCase } from '../../nestful/case.ts'
import { readWhole } from '../../nestful/python/read.ts'
import { formatPyRepr, formatPyStr, isDict, type PyValue } from '../../nestful/python/value.ts'
import { candidateOf } from '../../nestful/test/drive.ts'
import { sampleBenchmark as benchmark, sampleCases } from '../../nestful/test/sample.ts'
import { caseOf, goldCalls } from '../../nestful/test/shapes.ts'
import { change } from '../places.ts'
import { defineExplained, isShownAs } from './kind.ts'

interface WrittenCall {
  name: string
  label: string
  arguments: Record<string, JsonValue>
}

const chain = goldCalls('chain', 4)
const long = caseOf(
  chain.map((call) => ({ ...call, arguments: { ...(call.arguments as object), city: 'City '.repeat(100) } })),
)
const listGold = ({ task }: NestfulCase): WrittenCall[] =>
  task.calls.map(({ name, label, arguments: args }) => ({
    name,
    label: label.replaceAll('$', ''),
    arguments: JSON.parse(args) as WrittenCall['arguments'],
  }))

const toPython = (value: JsonValue): PyValue => readWhole(JSON.stringify(value))
const formatArguments = (call: WrittenCall, format: (value: PyValue) => string) => {
  const args = toPython(call.arguments)
  const texts = isDict(args) ? [...args].map(([key, value]) => `${String(key)} = ${format(value)}`) : []
  return [`${call.name}(${texts.join(', ')})`, `${call.name}(${texts.toSorted().join(', ')})`]
}
/** The released evaluator closes a reference of the answer. */
function closeReference(value: PyValue): string {
  const text = formatPyStr(value)
  return typeof value === 'string' && text.startsWith('$') && !text.endsWith('$') ? `${text}$` : text
}
/** A call whose arguments that begin with a label begin with the name of its function, as released. */
function ground(call: WrittenCall, calls: readonly WrittenCall[]): WrittenCall {
  const nameOf = (label: string) => calls.findLast((one) => one.label === label)?.name
  const args = JSON.parse(JSON.stringify(call.arguments), (_, value: unknown) =>
    typeof value === 'string'
      ? value.replace(/^\$(\w+)/, (_whole, label: string) => `$${nameOf(label) ?? label}`)
      : value,
  ) as WrittenCall['arguments']
  return { ...call, arguments: args }
}

/** The ways in which explanations write a call: as values, and as the released evaluator compares texts. */
const listTexts = (call: WrittenCall | undefined, calls: readonly WrittenCall[]): string[] =>
  call
    ? [
        call.name,
        ...formatArguments(call, formatPyRepr),
        ...[call, ground(call, calls)].flatMap((one) => formatArguments(one, closeReference)),
      ]
    : []

/** The n-th call of a name answers the n-th gold one of that name. */
function findPartner(calls: readonly WrittenCall[], others: readonly WrittenCall[], at: number): number {
  const { name } = calls[at]!
  const nth = calls.slice(0, at).filter((one) => one.name === name).length
  return [...others.keys()].filter((one) => others[one]!.name === name)[nth] ?? -1
}
/** A gold call with the labels of the answer. */
function translate(
  call: WrittenCall,
  gold: readonly WrittenCall[],
  answer: readonly WrittenCall[],
): WrittenCall {
  const args = JSON.stringify(call.arguments).replaceAll(/\$(\w+)/g, (whole, label: string) => {
    const at = gold.findIndex((one) => one.label === label)
    const partner = at < 0 ? -1 : findPartner(gold, answer, at)
    return partner < 0 ? whole : `$${answer[partner]!.label}`
  })
  return { ...call, arguments: JSON.parse(args) as WrittenCall['arguments'] }
}
/** A gold value whose references lead to the calls that the explanation names. */
function leadTo(value: JsonValue, expected: string, answer: readonly WrittenCall[]): JsonValue {
  const targets = /\(([^()]*)\)$/.exec(expected)?.[1]?.split('; ') ?? []
  let next = 0
  const text = JSON.stringify(value).replaceAll(/\$(?=\w)\w+/g, (whole) => {
    const named = /^call (\d+), /.exec(targets[next++] ?? '')?.[1]
    return named === undefined ? whole : `$${answer[Number(named) - 1]!.label}`
  })
  return JSON.parse(text) as JsonValue
}
const parsePlace = (where: string) => {
  const [, missing, call, argument] = /^(expected )?call (\d+)(?:\.(.*))?$/s.exec(where) ?? []
  return call === undefined ? null : { isMissing: missing !== undefined, at: Number(call) - 1, argument }
}

export const nestful = defineExplained<NestfulCase, WrittenCall[]>({
  benchmark,
  cases: [...sampleCases, caseOf(chain), caseOf(goldCalls('flat', 3)), long],
  reference: listGold,
  candidate: ({ case: c, policy, answer }) => candidateOf(benchmark, c, JSON.stringify(answer), { policy }),
  isChangeable: (place, how) =>
    /^\d+\.arguments\..+$/.test(place) ||
    (how === 'left out' ? /^\d+$/ : how === 'other' ? /^\d+\.name$/ : /^$/).test(place),
  changes: {
    twice: (calls) => (Array.isArray(calls) ? [...calls, ...calls] : calls),
    exchanged: (calls) => (Array.isArray(calls) ? [...calls.slice(1), ...calls.slice(0, 1)] : calls),
    labelled: (calls) =>
      Array.isArray(calls)
        ? calls.map((call, at) => (at === 0 ? { ...(call as object), label: 'var9' } : call))
        : calls,
  },
  read({ case: c, policy, answer }, { where }) {
    const place = parsePlace(where)
    if (!place) return null
    const gold = listGold(c)
    const { at, argument, isMissing } = place
    if (isMissing) return { expected: listTexts(gold[at], gold) }
    if (policy === 'published')
      return { expected: listTexts(gold[at], gold), found: listTexts(answer[at], answer) }
    const values = (calls: readonly WrittenCall[]) =>
      calls.flatMap((call) => {
        if (argument === undefined) return listTexts(call, calls)
        const value = call.arguments[argument]
        return value === undefined ? [] : [formatPyRepr(toPython(value))]
      })
    return { expected: values(gold), found: values(answer.slice(at, at + 1)) }
  },
  mend({ case: c, policy, answer }, { where, expected, found, says }, reference) {
    const gold = listGold(c)
    const place = parsePlace(where)
    const label = /^label (.*)$/.exec(where)?.[1]
    // The first call keeps it.
    if (label !== undefined) {
      const first = answer.findIndex((one) => one.label === label)
      const own = (n: number) =>
        `var${[n, n + 100, n + 200].find((one) => !answer.some((call) => call.label === `var${one}`))}`
      return answer.map((one, n) => (one.label === label && n > first ? { ...one, label: own(n + 10) } : one))
    }
    if (!place) return where === 'answer' ? reference : null
    const { at, argument, isMissing } = place
    const own = (n: number) => translate(gold[n]!, gold, answer)
    if (policy === 'published' && expected !== undefined) {
      const right = ground(gold[at]!, gold)
      return [
        ...answer.slice(0, at),
        { ...right, label: answer[at]?.label ?? right.label },
        ...answer.slice(at + 1),
      ]
    }
    if (isMissing) {
      // Behind the calls that stand for those before it.
      let behind = 0
      for (const { name } of gold.slice(0, at)) {
        const next = answer.findIndex((one, n) => n >= behind && one.name === name)
        if (next >= 0) behind = next + 1
      }
      return answer.toSpliced(behind, 0, own(at))
    }
    const call = answer[at]!
    const [, side, other] = /it belongs (before|behind) call (\d+) /.exec(says) ?? []
    if (side !== undefined) {
      const to = Number(other) - (side === 'before' ? 1 : 0)
      return answer.toSpliced(at, 1).toSpliced(to > at ? to - 1 : to, 0, call)
    }
    if (argument === undefined && expected !== undefined) return answer.with(at, { ...call, name: expected })
    if (argument === undefined) return found === undefined ? reference : answer.toSpliced(at, 1)
    const meant = [...gold.keys()].filter(
      (n) =>
        gold[n]!.name === call.name &&
        expected !== undefined &&
        isShownAs(
          expected.replace(/ \([^()]*\)$/, ''),
          formatPyRepr(toPython(gold[n]!.arguments[argument] ?? null)),
        ),
    )
    const nearest = meant.sort((a, b) => Math.abs(a - at) - Math.abs(b - at))[0]
    const value =
      nearest === undefined ? undefined : leadTo(gold[nearest]!.arguments[argument]!, expected!, answer)
    return answer.with(
      at,
      change(call as unknown as JsonValue, ['arguments', argument], value) as unknown as WrittenCall,
    )
  },
})
