/** How the translator chooses among wordings: by seed, or with the most explicit ones only. */
import type { Rng } from '@stateeval/program'

export interface Voice {
  rng: Rng
  /** Only wordings that nothing nearby could be taken for. */
  careful: boolean
}
/** A wording to choose, and how readily. */
export interface Option {
  text: () => string
  weight: number
}

export const choose = (options: readonly Option[], { rng }: Voice): string => rng.weighted(options, ({ weight }) => weight).text()
