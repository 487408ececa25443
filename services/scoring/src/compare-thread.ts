/** The thread that compares models: many with many cases take minutes. */
import { compareModels, type ModelCounts } from '@stateeval/score'

export interface CompareTask {
  models: readonly ModelCounts[]
  seed: number | string
}
export type Compared = ReturnType<typeof compareModels>

export const compare = ({ models, seed }: CompareTask): Compared => compareModels(models, { seed })
