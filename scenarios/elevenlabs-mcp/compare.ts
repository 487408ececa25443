/**
 * Chooses the part of RESULT and of the world counts: the calls placed, each speech with its history, in
 * their order; lists in RESULT keep theirs, too.
 */
import type { ComparisonRules } from '@stateeval/program'

export const compare: ComparisonRules = { relativeTolerance: 1e-6, unordered: [], noun: 'call' }
