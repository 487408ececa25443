/** Mutants of golden paths, for the built-in model `mutant`: each makes one mistake that models make. */
import type { JsonValue } from '@stateeval/contracts'
import type { MutantSupport, RandomSource } from '@stateeval/program'
import type { ComplexCase, ComplexTask } from './case.ts'
import type { ConversationOf } from './conversation/cache.ts'
import type { SampleConversation } from './conversation/conversation.ts'
import { isOptional } from './functions/free.ts'
import { readJson } from './python/read.ts'
import { type PythonDict, arePythonEqual, isDict, type PythonValue } from './python/value.ts'
import { dumpJson } from './python/write.ts'

type GoldenTurnPath = ComplexTask['turns']
interface CallPlace {
  turn: number
  at: number
  name: string
  args: PythonDict
}
interface MutatedPath {
  path: GoldenTurnPath
  site: string
}

/** A mutant of a call that finds a place may be right: such calls are left as they are. */
function listCallPlaces(path: GoldenTurnPath): CallPlace[] {
  return path.flatMap((calls, turn) =>
    calls.flatMap(({ name, arguments: text }, at) => {
      const args = readJson(text)
      return isDict(args) && !isOptional({ name, args }) ? [{ turn, at, name, args }] : []
    }),
  )
}

const formatSite = ({ turn, at, name }: CallPlace, parameter?: string) =>
  `turn ${turn + 1}, call ${at + 1}: ${name}${parameter === undefined ? '' : `, ${parameter}`}`

const withCall = (
  path: GoldenTurnPath,
  { turn, at }: CallPlace,
  calls: GoldenTurnPath[number],
): GoldenTurnPath =>
  path.map((one, n) => (n === turn ? one.flatMap((call, m) => (m === at ? calls : [call])) : one))

const withArguments = (path: GoldenTurnPath, place: CallPlace, args: PythonDict): GoldenTurnPath =>
  withCall(path, place, [{ name: place.name, arguments: dumpJson(args, { ascii: false }) }])

/** Another value of the same type. */
function drawOtherValue(value: PythonValue): PythonValue {
  if (typeof value === 'string') {
    // The last digit, so that a date stays a date; else a letter more.
    const digit = value.search(/\d\D*$/)
    if (digit < 0) return `${value}x`
    return `${value.slice(0, digit)}${(Number(value[digit]) + 1) % 10}${value.slice(digit + 1)}`
  }
  if (typeof value === 'bigint') return value + 1n
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (value === null) return 0
  return Array.isArray(value) && value.length > 0 ? value.slice(1) : value instanceof Map ? null : [0]
}

type MutationOperator = (
  path: GoldenTurnPath,
  conversation: SampleConversation,
  rng: RandomSource,
) => MutatedPath | null

const atPlace =
  (
    make: (
      path: GoldenTurnPath,
      place: CallPlace,
      conversation: SampleConversation,
      rng: RandomSource,
    ) => MutatedPath | null,
  ): MutationOperator =>
  (path, conversation, rng) => {
    const places = listCallPlaces(path)
    return places.length === 0 ? null : make(path, rng.pick(places), conversation, rng)
  }

const mutateParameter = (make: (args: PythonDict, name: string) => PythonDict): MutationOperator =>
  atPlace((path, place, _, rng) => {
    if (place.args.size === 0) return null
    const name = rng.pick([...place.args.keys()])
    return { path: withArguments(path, place, make(place.args, name)), site: formatSite(place, name) }
  })

const operators: Readonly<Record<string, MutationOperator>> = {
  stop_early(path) {
    const last = listCallPlaces(path).at(-1)
    return last ? { path: path.slice(0, last.turn), site: formatSite(last) } : null
  },
  drop_call: atPlace((path, place) => ({ path: withCall(path, place, []), site: formatSite(place) })),
  rename_function: atPlace((path, place, { functions }, rng) => {
    const others = functions.filter(({ name }) => name !== place.name)
    if (others.length === 0) return null
    const call = { name: rng.pick(others).name, arguments: dumpJson(place.args, { ascii: false }) }
    return { path: withCall(path, place, [call]), site: formatSite(place) }
  }),
  change_value: mutateParameter((args, name) => new Map([...args, [name, drawOtherValue(args.get(name)!)]])),
  drop_parameter: mutateParameter((args, name) => new Map([...args].filter(([one]) => one !== name))),
  add_parameter: atPlace((path, place) => ({
    path: withArguments(path, place, new Map([...place.args, ['extra_option', 'yes']])),
    site: formatSite(place),
  })),
  swap_values: atPlace((path, place, _, rng) => {
    const pairs = [...place.args].flatMap(([a, x]) =>
      [...place.args].flatMap(([b, y]) =>
        a < b && typeof x === typeof y && !arePythonEqual(x, y) ? [[a, b] as const] : [],
      ),
    )
    if (pairs.length === 0) return null
    const [a, b] = rng.pick(pairs)
    const { args } = place
    const swapped = new Map([...args, [a, args.get(b)!], [b, args.get(a)!]])
    return { path: withArguments(path, place, swapped), site: formatSite(place, `${a} and ${b}`) }
  }),
  break_arguments: atPlace((path, place) => ({
    path: withCall(path, place, [
      { name: place.name, arguments: dumpJson(place.args, { ascii: false }).slice(0, -1) },
    ]),
    site: formatSite(place),
  })),
}
export const operatorNames = Object.keys(operators)

export const makeMutants = (conversationOf: ConversationOf): MutantSupport<ComplexCase> => ({
  mutate(c, _, rng) {
    const conversation = conversationOf(c)
    const mutants = Object.entries(operators).flatMap(([operator, make]) => {
      const mutant = make(c.task.turns, conversation, rng.fork(operator))
      return mutant ? [{ operator, ...mutant }] : []
    })
    if (mutants.length === 0) return null
    const { operator, path, site } = rng.pick(mutants)
    return { mutant: path as JsonValue, operator, site }
  },
  // A dialogue has no world that could be compared by itself.
  furtherInputs: () => [],
  expected: () => [],
  agree: () => false,
  isCaughtByComparison: () => true,
})
