/** Chooses the part of RESULT and of the world counts: items are a set, lists in RESULT keep their order. */
import type { Comparison } from '@stateeval/program'

export const compare: Comparison = { relativeTolerance: 1e-9, unordered: [['items']], noun: 'session' }
