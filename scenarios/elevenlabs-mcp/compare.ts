/**
 * Rules of comparison: the calls placed count, each speech with its history, in their order; lists in RESULT
 * keep theirs, too.
 */
import type { ComparisonRules } from '@stateeval/program'

export const compare: ComparisonRules = { relativeTolerance: 1e-6, unordered: [], noun: 'call' }
