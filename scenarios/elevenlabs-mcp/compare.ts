/** What of RESULT and of the world counts: calls are a multiset, each speech with its history; lists in RESULT keep their order. */
import type { Comparison } from '@stateeval/program'

export const compare: Comparison = { relativeTolerance: 1e-6, unordered: [['calls']], noun: 'call' }
