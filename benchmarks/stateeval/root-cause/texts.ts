/** Calls and values as evidence: short, the same in every run. */
import type { JsonValue } from '@stateeval/contracts'
import { evidenceText, Ids, labelsOf } from '@stateeval/score'
import type { ObservedCall } from './observed.ts'
import type { ExpectedCall } from './situation.ts'

const none = labelsOf(new Ids({ ids: { initial: [], created: [] }, gone: [] }))
/** Ids are tokens already; hosts, times and paths are masked. */
export const steady = (text: string) => evidenceText(text, none)

export function short(value: JsonValue | undefined, longest = 80): string {
  if (value === undefined) return 'nothing'
  const text = steady(JSON.stringify(value))
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
const argsText = (args: Readonly<Record<string, JsonValue>>) =>
  Object.entries(args)
    .map(([name, value]) => `${name}: ${short(value, 40)}`)
    .join(', ')
export const expectedText = ({ api, args }: ExpectedCall) => `${api}(${argsText(args)})`.slice(0, 300)
export const foundText = ({ api, args, request }: ObservedCall) =>
  (api === null ? steady(request) : `${api}(${argsText(args)})`).slice(0, 300)
