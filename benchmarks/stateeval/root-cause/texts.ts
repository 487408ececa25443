/** Calls and values as evidence: short, the same in every run. */
import type { JsonValue } from '@stateeval/contracts'
import { formatEvidence, IdTable, createLabels } from '@stateeval/score'
import type { ObservedCall } from './observed.ts'
import type { ExpectedCall } from './situation.ts'

const none = createLabels(new IdTable({ ids: { initial: [], created: [] }, gone: [] }))
/** Ids are tokens already; hosts, times and paths are masked. */
export const formatSteady = (text: string) => formatEvidence(text, none)

export function shortenValue(value: JsonValue | undefined, longest = 80): string {
  if (value === undefined) return 'nothing'
  const text = formatSteady(JSON.stringify(value))
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
const formatCallArguments = (args: Readonly<Record<string, JsonValue>>) =>
  Object.entries(args)
    .map(([name, value]) => `${name}: ${shortenValue(value, 40)}`)
    .join(', ')
export const formatExpectedCall = ({ api, args }: ExpectedCall) =>
  `${api}(${formatCallArguments(args)})`.slice(0, 300)
export const formatFoundCall = ({ api, args, request }: ObservedCall) =>
  (api === null ? formatSteady(request) : `${api}(${formatCallArguments(args)})`).slice(0, 300)
