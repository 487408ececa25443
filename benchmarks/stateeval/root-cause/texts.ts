/** Calls and values as evidence: short, the same in every run. */
import { getOwnMember, type JsonValue } from '@stateeval/contracts'
import { cutApart } from '@stateeval/program'
import { formatEvidence, IdTable, createLabels } from '@stateeval/score'
import type { ObservedCall } from './observed.ts'
import type { ExpectedCall } from './situation.ts'

const none = createLabels(new IdTable({ ids: { initial: [], created: [] }, gone: [] }))
/** Ids are tokens already; hosts, times and paths are masked. */
export const formatSteady = (text: string) => formatEvidence(text, none)

/** Two values that differ, as texts that differ: cut around the first difference. */
export function shortenPair(
  expectedValue: JsonValue | undefined,
  foundValue: JsonValue | undefined,
  longest = 80,
): { expected: string; found: string } {
  const [expected, found] = cutApart(formatValue(expectedValue), formatValue(foundValue), longest)
  return { expected, found }
}
const formatValue = (value: JsonValue | undefined) =>
  value === undefined ? 'nothing' : formatSteady(JSON.stringify(value))

/** The longest value of an argument in a call, and the longest call. */
const longestArgument = 40
const longestCall = 300

const formatCall = (api: string, args: readonly (readonly [name: string, text: string])[]) =>
  `${api}(${args.map(([name, text]) => `${name}: ${text}`).join(', ')})`.slice(0, longestCall)
const formatCallArguments = (args: Readonly<Record<string, JsonValue>>) =>
  Object.entries(args).map(
    ([name, value]) => [name, shortenPair(value, value, longestArgument).found] as const,
  )

export const formatExpectedCall = ({ api, args }: ExpectedCall) => formatCall(api, formatCallArguments(args))
export const formatFoundCall = ({ api, args, request, unread = [] }: ObservedCall) =>
  api === null
    ? formatSteady(request).slice(0, longestCall)
    : formatCall(api, [...formatCallArguments(args), ...unread.map((name) => [name, '?'] as const)])

/** A call of the reference and the one that stands for it: arguments that differ are cut alike. */
export function formatCallPair(
  expected: ExpectedCall,
  actual: ObservedCall,
): { expected: string; found: string } {
  if (actual.api === null) return { expected: formatExpectedCall(expected), found: formatFoundCall(actual) }
  const cut = (side: 'expected' | 'found', args: Readonly<Record<string, JsonValue>>) =>
    Object.keys(args).map((name) => {
      const pair = shortenPair(
        getOwnMember(expected.args, name),
        getOwnMember(actual.args, name),
        longestArgument,
      )
      return [name, pair[side]] as const
    })
  const unread = (actual.unread ?? []).map((name) => [name, '?'] as const)
  return {
    expected: formatCall(expected.api, cut('expected', expected.args)),
    found: formatCall(actual.api, [...cut('found', actual.args), ...unread]),
  }
}
