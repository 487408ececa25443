/** Calls and values as evidence: short, the same in every run. */
import { getOwnMember, type JsonValue } from '@stateeval/contracts'
import { cutApart, cutText } from '@stateeval/program'
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
  const [one, other] = cutApart(formatValue(expectedValue), formatValue(foundValue), longestMasked)
  const [expected, found] = cutApart(formatSteady(one), formatSteady(other), longest)
  return { expected, found }
}
/** Length of a text that `formatSteady` leaves whole. */
const longestMasked = 400
const formatValue = (value: JsonValue | undefined) =>
  value === undefined ? 'nothing' : JSON.stringify(value)

/** The longest value of an argument in a call, and the longest call. */
const longestArgument = 40
const longestCall = 300

const formatCall = (api: string, args: readonly (readonly [name: string, text: string])[]) =>
  `${api}(${args.map(([name, text]) => `${name}: ${text}`).join(', ')})`
const formatCallArguments = (args: Readonly<Record<string, JsonValue>>) =>
  Object.entries(args).map(
    ([name, value]) => [name, shortenPair(value, value, longestArgument).found] as const,
  )

export const formatExpectedCall = ({ api, args }: ExpectedCall) =>
  cutText(formatCall(api, formatCallArguments(args)), longestCall)
export const formatFoundCall = ({ api, args, request, unread = [] }: ObservedCall) =>
  cutText(
    api === null
      ? formatSteady(request)
      : formatCall(api, [...formatCallArguments(args), ...unread.map((name) => [name, '?'] as const)]),
    longestCall,
  )

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
  const [should, found] = cutApart(
    formatCall(expected.api, cut('expected', expected.args)),
    formatCall(actual.api, [...cut('found', actual.args), ...unread]),
    longestCall,
  )
  return { expected: should, found }
}
