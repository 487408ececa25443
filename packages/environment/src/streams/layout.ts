/** The layout of a block: the scenario and length of each task, determined by the seed alone. */
import { canonicalJson, sha256, streamBlockSize, type StreamOptions } from '@stateeval/contracts'
import { createRng } from '@stateeval/program'

/** Tasks of a block that are generated together. */
export interface BlockPart {
  scenario: string
  length: number
  seed: number
  /** Their places in the block. */
  places: number[]
}

export const getBlockNumber = (index: number) => Math.floor(index / streamBlockSize)
export const getPlaceInBlock = (index: number) => index % streamBlockSize

/** The name of a block's set, derived from its stream. */
export const formatSetName = (stream: string, block: number) => `${stream}/b${String(block).padStart(8, '0')}`

/** From a hash, so that no block tells the seed of its stream or of another block. */
const deriveHash = (...from: readonly unknown[]) =>
  Number.parseInt(sha256(canonicalJson(['stateeval stream', ...from])).slice(0, 12), 16)

/** A name that requires the seed. It names the jobs of a sealed stream. */
export const computeJobMark = (seed: string | number, salt: string, block: number) =>
  sha256(canonicalJson(['stateeval stream jobs', seed, salt, block])).slice(0, 16)

/** `scenarios`: those that `options.scenario` names, in a fixed order. */
export function planLayout(
  scenarios: readonly string[],
  { length: { min, max } }: Pick<StreamOptions, 'length'>,
  seed: string | number,
  block: number,
): BlockPart[] {
  const lengths = Array.from({ length: max - min + 1 }, (_, at) => min + at)
  const parts = scenarios.flatMap((scenario) =>
    lengths.map((length) => ({ scenario, length, places: [] as number[] })),
  )
  const rng = createRng(`stream/${deriveHash(seed, block)}`)
  // Blocks of more parts than tasks leave out others each time.
  const taken = rng.shuffle(parts)
  for (const [at, place] of rng.shuffle(Array.from({ length: streamBlockSize }, (_, n) => n)).entries())
    taken[at % taken.length]!.places.push(place)
  return parts
    .filter(({ places }) => places.length > 0)
    .map(({ scenario, length, places }) => ({
      scenario,
      length,
      seed: deriveHash(seed, block, scenario, length),
      places: places.sort((a, b) => a - b),
    }))
}
