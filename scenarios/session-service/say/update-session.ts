import type { Phrase } from '@stateeval/program'

export const updateSession: Phrase = {
  forms: [
    {
      says: ['replace the data of {session} by {data}'],
      args: {
        id: { slot: 'session', path: ['id'] },
        source: { slot: 'session', path: ['source'] },
        type: { slot: 'session', path: ['type'] },
        data: { slot: 'data' },
      },
      slots: { session: 'reference', data: 'reference' },
    },
  ],
}
