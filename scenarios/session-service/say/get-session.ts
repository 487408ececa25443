import type { Phrase } from '@stateeval/program'

export const getSession: Phrase = {
  forms: [
    {
      says: ['get {session}'],
      args: {
        id: { slot: 'session', path: ['id'] },
        source: { slot: 'session', path: ['source'] },
        type: { slot: 'session', path: ['type'] },
      },
      slots: { session: 'reference' },
    },
  ],
  output: { whole: 'the session fetched' },
}
