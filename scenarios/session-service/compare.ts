/** Rules of comparison: items are a set, lists in RESULT keep their order. */
import type { ComparisonRules } from '@stateeval/program'

export const compare: ComparisonRules = { relativeTolerance: 1e-9, unordered: [['items']], noun: 'session' }
