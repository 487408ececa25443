import type { Phrase } from '@stateeval/program'

export const fetchSessions: Phrase = {
  forms: [
    {
      says: ['fetch the sessions with the source and type of {of} that match the filter {filter}'],
      args: { source: { slot: 'of', path: ['source'] }, type: { slot: 'of', path: ['type'] }, filter: { slot: 'filter' } },
      slots: { of: 'reference', filter: 'literal' },
    },
  ],
  output: { whole: 'the sessions that match', item: 'session' },
}
