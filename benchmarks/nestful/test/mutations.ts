/**
 * Mutated answers with the scores that published behaviour 1 to 9 (README) gives under `published`, and that
 * section 5.3 means for `sound`.
 */
import type { ErrorType } from '../judge/errors.ts'
import { type Call, goldCalls, type Shape } from './shapes.ts'

interface Mutation {
  name: string
  shape: Shape
  n: number
  /** The answer; by default the list as JSON. */
  calls: Call[]
  answer?: string
  published: number
  sound: number
  /** The types of error that `sound` finds, in any order. */
  errors: ErrorType[]
}

const shapes: readonly Shape[] = ['chain', 'flat']
const sizes = [2, 3, 4, 5]
type Row = Omit<Mutation, 'shape' | 'n' | 'name'>

/** One for each shape, size and place; null where it does not apply. */
const placed: Record<string, (calls: Call[], at: number, shape: Shape) => Row | null> = {
  // An extra call in front or in the middle: gold is exhausted first, so all behind the place fails twice
  // (README, published behaviour 7).
  'a known call too many': (calls, at) => ({
    calls: calls.toSpliced(at, 0, { name: 'Omega', label: 'var9', arguments: {} }),
    published: at / (at + 2 * (calls.length - at) + 1),
    sound: calls.length / (calls.length + 1),
    errors: ['missing_or_extra_call'],
  }),
  'an unknown call too many': (calls, at) => ({
    calls: calls.toSpliced(at, 0, { name: 'Nowhere', label: 'var9', arguments: {} }),
    published: at / (at + 2 * (calls.length - at) + 1),
    sound: calls.length / (calls.length + 1),
    errors: ['hallucinated_api'],
  }),
  // In a chain the next call loses the label that it refers to.
  'a call is missing': (calls, at, shape) => {
    const cost = shape === 'chain' && at < calls.length - 1 ? 2 : 1
    const share = (calls.length - cost) / calls.length
    return {
      calls: calls.toSpliced(at, 1),
      published: share,
      sound: share,
      errors: cost === 2 ? ['missed_implicit_call', 'wrong_reference'] : ['missing_or_extra_call'],
    }
  },
  'another text': (calls, at) => ({
    ...one(calls, at, { city: 'City 1, City 2' }),
    errors: ['wrong_argument'],
  }),
  'an invented text': (calls, at) => ({
    ...one(calls, at, { city: 'Atlantis' }),
    errors: ['invented_value'],
  }),
  'the integer as text': (calls, at) => ({
    ...one(calls, at, { count: String(at + 3) }),
    // Values are compared as Python text.
    published: 1,
    errors: ['wrong_data_type'],
  }),
  'the integer as float': (calls, at) => ({
    ...text(one(calls, at, { count: at + 3 }), `"count":${at + 3}`, `"count":${at + 3}.0`),
    published: less(calls),
    sound: 1,
    errors: [],
  }),
  'the boolean as Python text': (calls, at) => ({
    ...one(calls, at, { open: 'True' }),
    published: 1,
    errors: ['wrong_data_type'],
  }),
  'the boolean as JSON text': (calls, at) => ({
    ...one(calls, at, { open: 'true' }),
    errors: ['wrong_data_type'],
  }),
  'a number of a list as text': (calls, at) => ({
    ...one(calls, at, { days: [String(at), 'x'] }),
    errors: ['wrong_argument'],
  }),
  'a required argument is missing': (calls, at) => ({
    ...without(calls, at, 'city'),
    errors: ['missing_required_parameter'],
  }),
  'an optional argument is missing': (calls, at) => ({
    ...without(calls, at, 'count'),
    errors: ['wrong_argument'],
  }),
  'an argument too many': (calls, at) => ({ ...one(calls, at, { extra: 1 }), errors: ['wrong_argument'] }),
  'arguments in another order': (calls, at) => ({
    calls: calls.with(at, {
      ...calls[at],
      arguments: Object.fromEntries(Object.entries(argsOf(calls[at]!)).reverse()),
    }),
    published: 1,
    sound: 1,
    errors: [],
  }),
  'another known API': (calls, at) => {
    return { ...renamed(calls, at, 'Omega'), errors: ['wrong_api', ...ledAstray(calls, at)] }
  },
  'an unknown API': (calls, at) => ({
    ...renamed(calls, at, 'Nowhere'),
    errors: ['hallucinated_api', ...ledAstray(calls, at)],
  }),
  'a reference without its last dollar sign': (calls, at, shape) =>
    shape === 'flat' || at === 0
      ? null
      : { ...one(calls, at, { from: `$var${at}.out` }), published: 1, sound: 1, errors: [] },
  'a reference to another output': (calls, at, shape) =>
    shape === 'flat' || at === 0
      ? null
      : { ...one(calls, at, { from: `$var${at}.other$` }), errors: ['wrong_reference'] },
  'a reference to an unknown label': (calls, at, shape) =>
    shape === 'flat' || at === 0
      ? null
      : { ...one(calls, at, { from: '$var8.out$' }), errors: ['wrong_reference'] },
  'a reference to itself': (calls, at, shape) =>
    shape === 'flat' || at === 0
      ? null
      : { ...one(calls, at, { from: `$var${at + 1}.out$` }), errors: ['wrong_reference'] },
  'a literal in place of a reference': (calls, at, shape) =>
    shape === 'flat' || at === 0
      ? null
      : { ...one(calls, at, { from: 'Atlantis' }), errors: ['invented_value'] },
  // An output is to be named, also where it is the only one (section 5.4 of the paper).
  'a reference to the whole result': (calls, at, shape) =>
    shape === 'flat' || at === 0
      ? null
      : { ...one(calls, at, { from: `$var${at}$` }), errors: ['wrong_reference'] },
  'a reference to an output without a name': (calls, at, shape) =>
    shape === 'flat' || at === 0
      ? null
      : { ...one(calls, at, { from: `$var${at}.$` }), errors: ['wrong_reference'] },
  'a blank beside a reference': (calls, at, shape) =>
    shape === 'flat' || at === 0
      ? null
      : { ...one(calls, at, { from: `$var${at}.out$ ` }), errors: ['wrong_argument'] },
  // As section 5.3 of the paper writes it, which is also what `published` makes of the label.
  'a reference by the name of the function': (calls, at, shape) =>
    shape === 'flat' || at === 0
      ? null
      : {
          ...one(calls, at, { from: `$${String(calls[at - 1]!.name)}.out$` }),
          published: 1,
          sound: 1,
          errors: [],
        },
  'a reference as a subscript': (calls, at, shape) =>
    shape === 'flat' || at === 0
      ? null
      : {
          ...one(calls, at, { from: `$var${at}["out"]$` }),
          published: less(calls),
          sound: 1,
          errors: [],
        },
  // Two calls change places: position by position, both fail. Soundly, the moved call is a slot beside the
  // gold ones.
  'a call and the next one swapped': (calls, at) => {
    if (at === calls.length - 1) return null
    return {
      calls: calls.with(at, calls[at + 1]!).with(at + 1, calls[at]!),
      published: (calls.length - 2) / calls.length,
      sound: (calls.length - 1) / (calls.length + 1),
      errors: ['order'],
    }
  },
}

/** One for each shape and size. */
const whole: Record<string, (calls: Call[], shape: Shape) => Row | null> = {
  'the gold calls': (calls) => same(calls),
  'labels with a dollar sign': (calls) =>
    same(calls.map((call) => ({ ...call, label: `$${String(call.label)}` }))),
  // Labels that do not begin with var are never grounded.
  'other labels, named alike everywhere': (calls, shape) => ({
    ...same(JSON.parse(JSON.stringify(calls).replaceAll('var', 'call')) as Call[]),
    published: shape === 'chain' ? 1 / calls.length : 1,
  }),
  'numbers of labels shifted': (calls) =>
    same(
      JSON.parse(
        JSON.stringify(calls).replaceAll(/var(\d)/g, (_, n: string) => `var${Number(n) + 3}`),
      ) as Call[],
    ),
  'a final var_result': (calls) => same([...calls, { name: 'var_result', arguments: { a: '$var1.out$' } }]),
  'a final varResult': (calls) => ({
    ...same([...calls, { name: 'varResult', arguments: {} }]),
    published: calls.length / (calls.length + 1),
  }),
  'a final dummy call': (calls) => ({
    ...same([...calls, { name: 'dummy', label: 'var9', arguments: {} }]),
    published: calls.length / (calls.length + 1),
    sound: calls.length / (calls.length + 1),
    errors: ['hallucinated_api'],
  }),
  'everything twice': (calls) => ({
    calls: [...calls, ...calls],
    // The second half stands behind gold that is used up.
    published: 0.5,
    sound: 0.5,
    errors: ['missing_or_extra_call', 'wrong_label'],
  }),
  'in a fence': (calls) => ({
    ...same(calls),
    answer: `\`\`\`json\n${JSON.stringify(calls)}\n\`\`\``,
    published: 0,
  }),
  'in prose': (calls) => ({ ...same(calls), answer: `Sure: ${JSON.stringify(calls)} Done.`, published: 0 }),
  'with a trailing comma': (calls) => ({
    ...same(calls),
    answer: JSON.stringify(calls).replace(/\]$/, ',]'),
    published: 0,
  }),
  'as Python literals': (calls) => ({
    ...same(calls),
    answer: JSON.stringify(calls).replaceAll('"', "'").replaceAll('true', 'True'),
    published: 0,
  }),
  'a draft before it': (calls) => ({
    ...same(calls),
    answer: `[{"name": "Omega", "label": "var1", "arguments": {}}]\nNo:\n${JSON.stringify(calls)}`,
    published: 0,
  }),
  'a list for each call': (calls) => ({
    ...same(calls),
    answer: calls.map((call) => JSON.stringify([call])).join('\n'),
    published: 0,
  }),
  'without the last bracket': (calls) => ({ ...same(calls), answer: JSON.stringify(calls).slice(0, -1) }),
  'without both brackets': (calls) => ({ ...same(calls), answer: JSON.stringify(calls).slice(1, -1) }),
  'with a quote behind it': (calls) => ({ ...same(calls), answer: `${JSON.stringify(calls)}'` }),
  prose: (calls) => ({
    calls,
    answer: 'I cannot do that.',
    published: 0,
    sound: 0,
    errors: ['prose_instead_of_calls'],
  }),
  nothing: (calls) => ({ calls, answer: '', published: 0, sound: 0, errors: ['prose_instead_of_calls'] }),
  'an empty list': () => ({ calls: [], published: 0, sound: 0, errors: ['missing_or_extra_call'] }),
  // An element that is no call spoils the grounding, and with it the whole prediction.
  'a text among the calls': (calls) => ({
    ...same(calls),
    calls: ['x' as unknown as Call, ...calls],
    published: 0,
  }),
  'a label that is a number': (calls) => ({
    ...same(calls),
    calls: calls.with(0, { ...calls[0], label: 1 }),
    published: 0,
  }),
  parameters: (calls) => same(calls.map(({ arguments: args, ...call }) => ({ ...call, parameters: args }))),
}

const argsOf = ({ arguments: args }: Call) => args as Record<string, unknown>
const less = (calls: readonly Call[]) => (calls.length - 1) / calls.length
const same = (calls: Call[]): Row => ({ calls, published: 1, sound: 1, errors: [] })
/** One call has these arguments besides. */
const one = (calls: Call[], at: number, args: object): Omit<Row, 'errors'> => ({
  calls: calls.with(at, { ...calls[at], arguments: { ...argsOf(calls[at]!), ...args } }),
  published: less(calls),
  sound: less(calls),
})
function without(calls: Call[], at: number, argument: string): Omit<Row, 'errors'> {
  const { [argument]: _, ...args } = argsOf(calls[at]!)
  return { ...one(calls, at, {}), calls: calls.with(at, { ...calls[at], arguments: args }) }
}
const text = (row: Omit<Row, 'errors'>, from: string, to: string): Omit<Row, 'errors'> => ({
  ...row,
  answer: JSON.stringify(row.calls).replace(from, to),
})
/** The call behind it refers to the result of another function then. */
const ledAstray = (calls: Call[], at: number): ErrorType[] =>
  argsOf(calls[at + 1] ?? { arguments: {} })['from'] === undefined ? [] : ['wrong_reference']
/** Its label now means another function, so the next call of a chain refers to that one. */
function renamed(calls: Call[], at: number, name: string): Omit<Row, 'errors'> {
  const isUsed = argsOf(calls[at + 1] ?? { arguments: {} })['from'] !== undefined
  const share = (calls.length - (isUsed ? 2 : 1)) / calls.length
  return { calls: calls.with(at, { ...calls[at], name }), published: share, sound: share }
}

export const mutations: Mutation[] = shapes.flatMap((shape) =>
  sizes.flatMap((n) => [
    ...Object.entries(placed).flatMap(([name, make]) =>
      Array.from({ length: n }, (_, at) => ({ at, row: make(goldCalls(shape, n), at, shape) })).flatMap(
        ({ at, row }) => (row ? [{ name: `${name}, ${shape} of ${n}, at ${at}`, shape, n, ...row }] : []),
      ),
    ),
    ...Object.entries(whole).flatMap(([name, make]) => {
      const row = make(goldCalls(shape, n), shape)
      return row ? [{ name: `${name}, ${shape} of ${n}`, shape, n, ...row }] : []
    }),
  ]),
)
