/**
 * Gold sequences of known shape, for which scores can be told in advance: a chain of references, or calls
 * side by side.
 */
import { canonicalJson } from '@stateeval/contracts'
import { type NestfulCase, parse } from '../case.ts'

export interface Call {
  name?: unknown
  label?: unknown
  arguments?: unknown
  [other: string]: unknown
}
export type Shape = 'chain' | 'flat'

const names = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon']
/** Known APIs that no gold sequence calls. */
const others = ['Omega', 'Sigma']

/**
 * Each call has a text, an integer, a list and a boolean; in a chain, also the result of the call before it.
 */
export const goldCalls = (shape: Shape, n: number): Call[] =>
  names.slice(0, n).map((name, at) => ({
    name,
    label: `var${at + 1}`,
    arguments: {
      city: `City ${at}`,
      count: at + 3,
      days: [at, 'x'],
      open: true,
      ...(shape === 'chain' && at > 0 && { from: `$var${at}.out$` }),
    },
  }))

const toolOf = (name: string) => ({
  name,
  description: `${name} of a city`,
  parameters: Object.fromEntries(
    ['city', 'count', 'days', 'open', 'from'].map((parameter) => [
      parameter,
      { type: 'string', description: '', required: parameter === 'city' },
    ]),
  ),
  output_parameters: { out: { type: 'string', description: '' } },
})

export function caseOf(calls: readonly Call[], gold?: unknown): NestfulCase {
  return parse(
    canonicalJson({
      id: 'shape',
      kind: 'nestful',
      group: 'math',
      instruction: 'City 0, City 1, City 2, City 3 and City 4',
      task: {
        form: 'v2',
        part: 'math',
        calls: calls.map(({ name, label, arguments: args }) => ({
          name,
          label,
          arguments: JSON.stringify(args),
        })),
        tools: JSON.stringify([...names, ...others].map(toolOf)),
        ...(gold !== undefined && { gold: JSON.stringify(gold) }),
        faults: [],
      },
    }),
  )
}
