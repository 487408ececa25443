/**
 * Steers traces towards the depth and the bindings that a generation asks for: of the possible moves, those
 * remain that keep pace with the goals. So programs are made to measure, instead of drawn until one fits.
 */
import type { Program } from '@stateeval/contracts'
import { countBindings, findReadCalls, measureDataflow, measurePathDepth } from '@stateeval/program'
import type { GenerateOptions, NumberRange } from './options.ts'
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

/** The goals of a program's first path; `split`: the calls before its if, 0 where there is none. */
export function setFirstGoals(
  { length, pathDepth, bindings }: Pick<GenerateOptions, 'length' | 'pathDepth' | 'bindings'>,
  split: number,
): PathGoals {
  const { min, max } = fillRange(bindings)
  const sites = split === 0 ? length : 2 * length - split
  return {
    calls: length,
    pathDepth: fillRange(pathDepth),
    bindings: { min: Math.ceil((min * length) / sites), max: Math.ceil((max * length) / sites) },
  }
}

/** The goals of the other path, once the first is there: it may be less deep, and has the other bindings. */
export function setSecondGoals<W>(
  { length, pathDepth, bindings }: Pick<GenerateOptions, 'length' | 'pathDepth' | 'bindings'>,
  first: ProgramTrace<W>,
  fork: ProgramTrace<W>,
): PathGoals {
  const { min, max } = fillRange(bindings)
  const own = measureDataflow(first.steps).bindings - measureDataflow(fork.steps).bindings
  return {
    calls: length,
    pathDepth: { min: 0, max: pathDepth?.max ?? Infinity },
    bindings: { min: Math.max(0, min - own), max: max - own },
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
