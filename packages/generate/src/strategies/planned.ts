/** Looks ahead for uncovered adjacent pairs on real states; pair transitions break ties. */
import { coverage } from './coverage.ts'
import type { Strategy } from './strategy.ts'

export const planned: Strategy = { ...coverage, id: 'planned' }
