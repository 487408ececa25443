/** Which samples a table shows, as its address says. */
import type { SampleTableQuery } from '@stateeval/contracts'

export const passings = ['yes', 'no', 'not scored'] as const
export type SampleSearch = Pick<SampleTableQuery, 'passed' | 'verdict' | 'cause' | 'group' | 'search'>
