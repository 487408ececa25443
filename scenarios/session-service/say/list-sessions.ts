import type { Phrase } from '@stateeval/program'

export const listSessions: Phrase = {
  forms: [
    {
      says: ['list the sessions with the source and type of {of}'],
      args: { source: { slot: 'of', path: ['source'] }, type: { slot: 'of', path: ['type'] } },
      slots: { of: 'reference' },
    },
  ],
  output: { whole: 'the sessions listed', item: 'session' },
}
