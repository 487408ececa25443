/**
 * Steers traces towards the depth and the bindings that a generation asks for: of the possible moves, those
 * remain that keep pace with the goals. So programs are made to measure, instead of drawn until one fits.
 */
import type { Program } from '@stateeval/contracts'
import { countBindings, findReadCalls, measureDataflow, measurePathDepth } from '@stateeval/program'
import type { GenerateOptions, NumberRange } from './options.ts'
import { countSites, type SplitPlan } from './splits.ts'
import type { ProgramTrace, TraceMove } from './trace.ts'

/** The goals of one path. */
export interface PathGoals {
  /** Calls on the path. */
  calls: number
  pathDepth: Required<NumberRange>
  bindings: Required<NumberRange>
}

/** How far a path may stay behind its pace before its end: some calls can use no output. */
const maxLag = 1

const fillRange = ({ min = 0, max = Infinity }: NumberRange = {}) => ({ min, max })

/** Tells whether a generation steers at all. */
export const isSteered = ({ pathDepth, bindings }: Pick<GenerateOptions, 'pathDepth' | 'bindings'>) =>
  pathDepth !== undefined || bindings !== undefined

type SteeringOptions = Pick<GenerateOptions, 'length' | 'pathDepth' | 'bindings'>

/**
 * Sets the goals of a program's paths, one after the other: the first has the depth, later ones may be less
 * deep. Each has its share of the bindings that are still missing, by the calls that are.
 */
export class GoalSetter {
  private readonly options: SteeringOptions
  private missingSites: number
  private madeBindings = 0

  constructor(options: SteeringOptions, splits: SplitPlan | null) {
    this.options = options
    this.missingSites = countSites(splits, 0, options.length)
  }

  /** The goals of the next path, which goes on from a trace; undefined where nothing is steered. */
  set<W>(from: ProgramTrace<W>): PathGoals | undefined {
    const { length, pathDepth, bindings } = this.options
    if (!isSteered(this.options)) return undefined
    const isFirst = from.history.apis.length === 0
    const shared = measureDataflow(from.steps).bindings
    const sites = length - from.history.apis.length
    const { min, max } = fillRange(bindings)
    const ofPath = (all: number) =>
      Math.max(0, shared + Math.ceil(((all - this.madeBindings) * sites) / this.missingSites))
    return {
      calls: length,
      pathDepth: isFirst ? fillRange(pathDepth) : { min: 0, max: pathDepth?.max ?? Infinity },
      bindings: { min: ofPath(min), max: ofPath(max) },
    }
  }

  /** Counts a path that was made. */
  add<W>(path: ProgramTrace<W>, from: ProgramTrace<W>): void {
    this.missingSites -= path.history.apis.length - from.history.apis.length
    this.madeBindings += measureDataflow(path.steps).bindings - measureDataflow(from.steps).bindings
  }
}

/** The moves that keep the best pace; none where all of them fall too far behind, or overshoot. */
export function selectSteeredMoves<W>(
  { calls, pathDepth, bindings }: PathGoals,
  moves: readonly TraceMove<W>[],
): TraceMove<W>[] {
  let least = Infinity
  let best: TraceMove<W>[] = []
  for (const move of moves) {
    const { steps, history } = move.ready
    const made = history.apis.length + 1
    const flow = measureDataflow(steps)
    const sources = findReadCalls(history.origins, move.call)
    let depth = flow.depth
    for (const source of sources) depth = Math.max(depth, (flow.depths[source] ?? 0) + 1)
    const links = flow.bindings + sources.size
    const pace = (goal: number) => Math.floor((goal * made) / calls)
    if (depth > pathDepth.max || links > bindings.max) continue
    const lag = Math.max(0, pace(pathDepth.min) - depth) + Math.max(0, pace(bindings.min) - links)
    if (lag > (made === calls ? 0 : maxLag) || lag > least) continue
    if (lag < least) best = []
    least = lag
    best.push(move)
  }
  return best
}

/** Tells whether a finished program has the depth and the bindings that were asked for. */
export function reachesGoals(
  program: Program,
  { pathDepth, bindings }: Pick<GenerateOptions, 'pathDepth' | 'bindings'>,
): boolean {
  const isWithin = ({ min = 0, max = Infinity }: NumberRange, value: number) => value >= min && value <= max
  return (
    (!pathDepth || isWithin(pathDepth, measurePathDepth(program))) &&
    (!bindings || isWithin(bindings, countBindings(program)))
  )
}
