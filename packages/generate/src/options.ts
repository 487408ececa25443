/** The options of a generation. */
import { maxBranches, nestedLength } from '@stateeval/contracts'

export const strategyIds = ['planned', 'coverage', 'random'] as const
export type StrategyId = (typeof strategyIds)[number]

export interface NumberRange {
  min?: number
  max?: number
}

export interface GenerateOptions {
  /** Programs wanted, 1 to 10000. */
  count: number
  /** Calls on every execution path, 2 to 50. */
  length: number
  /** Same options, same programs. */
  seed: number
  strategy: StrategyId
  /** If/elses at places drawn uniformly. Without it all programs are straight. */
  controlFlow: boolean
  /** Only programs in which omitting any call or edit shows in RESULT or in the final world. */
  observable: boolean
  /**
   * True if paths get an input in a second world, where one is needed to tell a call from its output in the
   * first.
   */
  secondWorlds: boolean
  /** Opt-in APIs to use besides the scenario's own. */
  apis: readonly string[]
  /**
   * The pairs that the recorder counts for `coverage`: pairs linked by states, or (previous call, call) as
   * Algorithm 1's line 7 is printed.
   */
  pairs: 'states' | 'previous'
  /** The only APIs to call, usual or opt-in; absent: the usual ones and those of `apis`. */
  only?: readonly string[]
  /**
   * The mean number of if/elses, 0 to 3; those after the first stand in branches. Absent: at most one, as the
   * uniform place gives it.
   */
  branches?: number
  /** Bounds of the longest chain from producer to consumer, in edges. */
  pathDepth?: NumberRange
  /** Variables that no call needs, with remote items beside them. */
  distractors?: number
  /** Bounds of the pairs of a call's output and a call that uses it, over all branches. */
  bindings?: NumberRange
}

export const defaultOptions: GenerateOptions = {
  count: 60,
  length: 5,
  seed: 1,
  strategy: 'planned',
  controlFlow: true,
  observable: true,
  secondWorlds: true,
  apis: [],
  pairs: 'states',
}

const checkWhole = (name: string, value: number, min: number, max: number) =>
  Number.isInteger(value) && value >= min && value <= max
    ? []
    : [`${name} must be an integer from ${min} to ${max}, not ${String(value)}`]

const maxPathDepth = 50
const maxBindings = 200
const checkRange = (name: string, { min = 0, max }: NumberRange = {}, greatest: number) => [
  ...checkWhole(`${name}.min`, min, 0, greatest),
  ...checkWhole(`${name}.max`, max ?? greatest, 0, greatest),
  ...(min > (max ?? greatest) ? [`${name}.min is ${min}, more than ${name}.max, which is ${max}`] : []),
]

/**
 * The fault of the options, with the field; empty if there is none. `optIn` are the opt-in APIs, `all`
 * those of the scenario.
 */
export function checkOptions(
  options: GenerateOptions,
  optIn: readonly string[],
  all: readonly string[] = [],
): string[] {
  const unknown = options.apis.filter((api) => !optIn.includes(api))
  const { only, branches = 0, pathDepth, bindings } = options
  const missing = (only ?? []).filter((api) => !all.includes(api))
  return [
    ...checkWhole('count', options.count, 1, 10_000),
    ...checkWhole('length', options.length, 2, 50),
    ...checkWhole('seed', options.seed, 0, Number.MAX_SAFE_INTEGER),
    ...(strategyIds.includes(options.strategy)
      ? []
      : [`strategy must be one of ${strategyIds.join(', ')}, not ${String(options.strategy)}`]),
    ...(['states', 'previous'].includes(options.pairs)
      ? []
      : [`pairs must be states or previous, not ${String(options.pairs)}`]),
    ...(only?.length === 0 ? ['only must name an API'] : []),
    ...missing.map((api) => `only: ${api} is not an API of the scenario; available: ${all.join(', ')}`),
    ...(branches >= 0 && branches <= maxBranches
      ? []
      : [`branches must be from 0 to ${maxBranches}, not ${String(branches)}`]),
    ...(branches > 1 && options.length < nestedLength
      ? [`branches must be at most 1 with a length of ${options.length}, not ${branches}`]
      : []),
    ...checkWhole('distractors', options.distractors ?? 0, 0, 10),
    ...checkRange('pathDepth', pathDepth, maxPathDepth),
    ...checkRange('bindings', bindings, maxBindings),
    ...unknown.map(
      (api) => `apis: ${api} is no opt-in API; there ${optIn.length ? `are ${optIn.join(', ')}` : 'is none'}`,
    ),
  ]
}
