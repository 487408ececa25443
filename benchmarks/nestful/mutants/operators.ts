/** Mistakes in a list of gold calls, one at a time, drawn without a look at any truth. */
import type { RandomSource } from '@stateeval/program'
import { parseListedArguments, type GoldCall } from '../case.ts'
import { PyDict, formatPyJson, type PyValue, formatPyStr } from '../python/value.ts'
import { listTextReferences } from '../references.ts'

interface CallOperator {
  id: string
  /** The places at which it applies. */
  sites(calls: readonly GoldCall[], apis: readonly string[]): CallSite[]
}
interface CallSite {
  where: string
  change(rng: RandomSource): GoldCall[]
}

const formatCallSite = (calls: readonly GoldCall[], place: number) =>
  `call ${place + 1} (${calls[place]!.name})`

/** A site at each call that `change` has something for. */
const mutateEveryCall = (
  id: string,
  change: (calls: readonly GoldCall[], place: number, apis: readonly string[]) => CallSite['change'] | null,
): CallOperator => ({
  id,
  sites: (calls, apis) =>
    calls.flatMap((_, place) => {
      const mutant = change(calls, place, apis)
      return mutant ? [{ where: formatCallSite(calls, place), change: mutant }] : []
    }),
})

/** A site at each argument for which there is another value. */
const mutateEveryArgument = (
  id: string,
  other: (
    value: PyValue,
    about: { calls: readonly GoldCall[]; place: number; rng: RandomSource },
  ) => PyValue | undefined,
): CallOperator => ({
  id,
  sites: (calls) =>
    calls.flatMap((call, place) =>
      [...parseListedArguments(call)].flatMap(([key, value]) => {
        const change: CallSite['change'] = (rng) => {
          const changed = other(value, { calls, place, rng })!
          return calls.with(place, {
            ...call,
            arguments: formatPyJson(
              new PyDict(
                [...parseListedArguments(call)].map(([name, one]): [PyValue, PyValue] => [
                  name,
                  name === key ? changed : one,
                ]),
              ),
            ),
          })
        }
        // An operator's applicability does not depend on the draw.
        return other(value, { calls, place, rng: first }) === undefined
          ? []
          : [{ where: `${formatPyStr(key)} of ${formatCallSite(calls, place)}`, change }]
      }),
    ),
})
/** Draws the first of everything. */
const first: RandomSource = {
  int: (min) => min,
  unit: () => 0,
  chance: () => false,
  pick: (items) => items[0]!,
  weighted: (items) => items[0]!,
  shuffle: (items) => [...items],
  sample: (items, count) => items.slice(0, count),
  fork: () => first,
}

const isReference = (value: PyValue): value is string =>
  typeof value === 'string' && listTextReferences(value, () => true).length === 1 && value.startsWith('$')

export const operators: readonly CallOperator[] = [
  mutateEveryCall('drop_call', (calls, place) => (calls.length > 1 ? () => calls.toSpliced(place, 1) : null)),
  mutateEveryCall(
    'repeat_call',
    (calls, place) => () => calls.toSpliced(place, 0, { ...calls[place]!, label: 'var90' }),
  ),
  mutateEveryCall('swap_calls', (calls, place) =>
    place + 1 < calls.length &&
    JSON.stringify({ ...calls[place], label: '' }) !== JSON.stringify({ ...calls[place + 1], label: '' })
      ? () => calls.with(place, calls[place + 1]!).with(place + 1, calls[place]!)
      : null,
  ),
  mutateEveryCall('other_api', (calls, place, apis) => {
    const others = apis.filter((name) => name !== calls[place]!.name)
    return others.length === 0
      ? null
      : (rng) => calls.with(place, { ...calls[place]!, name: rng.pick(others) })
  }),
  {
    id: 'drop_argument',
    sites: (calls) =>
      calls.flatMap((call, place) =>
        [...parseListedArguments(call).keys()].map((key) => ({
          where: `${formatPyStr(key)} of ${formatCallSite(calls, place)}`,
          change: () =>
            calls.with(place, {
              ...call,
              arguments: formatPyJson(
                new PyDict([...parseListedArguments(call)].filter(([name]) => name !== key)),
              ),
            }),
        })),
      ),
  },
  mutateEveryArgument('change_literal', (value, { rng }) => {
    if (typeof value === 'bigint') return value + BigInt(rng.int(1, 5))
    if (typeof value === 'number') {
      const changed = value + rng.int(1, 5)
      // A small change of a large number is within the tolerance, or none.
      return Math.abs(changed - value) > Math.abs(value) * 1e-9 ? changed : value * 2
    }
    if (typeof value === 'boolean') return !value
    return typeof value === 'string' && !value.includes('$') && value !== '' ? `${value}x` : undefined
  }),
  mutateEveryArgument('other_label', (value, { calls, place, rng }) => {
    if (!isReference(value)) return undefined
    const [reference] = listTextReferences(value, () => true)
    const others = calls
      .slice(0, place)
      .map(({ label }) => label.replaceAll('$', ''))
      .filter((label) => label !== reference!.label)
    return others.length === 0 ? undefined : value.replace(reference!.label, rng.pick(others))
  }),
  mutateEveryArgument('other_output', (value) =>
    isReference(value) && value.endsWith('$') ? `${value.slice(0, -1)}.other$` : undefined,
  ),
  mutateEveryArgument('unknown_label', (value) => {
    if (!isReference(value)) return undefined
    const [reference] = listTextReferences(value, () => true)
    return value.replace(reference!.label, 'var77')
  }),
  mutateEveryArgument('invent_value', (value) => (isReference(value) ? 'made up' : undefined)),
]
