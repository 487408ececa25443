/** Levels of difficulty: what a scenario's programs of each level are like. */
import type { DifficultyParts } from '@stateeval/contracts'
import type { Scenario } from './scenario.ts'

/** The parts of one level; all but the length are optional. */
type DifficultyLevel = DifficultyParts & { length: number }
/** From the easiest to the hardest. */
export type DifficultyLevels = readonly [
  DifficultyLevel,
  DifficultyLevel,
  DifficultyLevel,
  DifficultyLevel,
  DifficultyLevel,
]

/** The level of programs of which nothing else is asked: as complex as the paper's. */
export const defaultLevel = 3

/** The levels of a scenario that defines none. */
const plainLevels: DifficultyLevels = [
  { length: 3, branches: 0 },
  { length: 4 },
  { length: 5 },
  { length: 7, branches: 1 },
  { length: 9, branches: 1 },
]

const partNames = ['length', 'branches', 'pathDepth', 'bindings', 'distractors'] as const

export const getLevel = ({ difficulty = plainLevels }: Pick<Scenario, 'difficulty'>, level: number) =>
  difficulty[level - 1] as DifficultyLevel

type GivenDifficulty = DifficultyParts & { difficulty?: number; only?: unknown }

/**
 * The level of options: the one that they name, or the default. Options that set parts, or name the only
 * APIs, have none by default.
 */
export const chooseLevel = (given: GivenDifficulty): number | undefined =>
  given.difficulty ??
  (given.only === undefined && partNames.every((name) => given[name] === undefined)
    ? defaultLevel
    : undefined)

/**
 * The options with the parts of their level that they don't set themselves. Goals shrink with a length that
 * is shorter than the level's.
 */
export function completeDifficulty<T extends GivenDifficulty>(
  scenario: Pick<Scenario, 'difficulty'>,
  given: T,
): T {
  const level = chooseLevel(given)
  if (level === undefined) return given
  const { pathDepth, bindings, ...parts } = getLevel(scenario, level)
  const share = Math.min(1, (given.length ?? parts.length) / parts.length)
  const shrink = (range: DifficultyParts['pathDepth']) =>
    range && { ...range, ...(range.min !== undefined && { min: Math.floor(range.min * share) }) }
  return {
    ...parts,
    ...(pathDepth && { pathDepth: shrink(pathDepth) }),
    ...(bindings && { bindings: shrink(bindings) }),
    ...given,
    difficulty: level,
  }
}
