import type { Phrase } from '@stateeval/program'

export const deleteSession: Phrase = {
  forms: [
    {
      says: ['delete {session}'],
      args: {
        id: { slot: 'session', path: ['id'] },
        source: { slot: 'session', path: ['source'] },
        type: { slot: 'session', path: ['type'] },
      },
      slots: { session: 'reference' },
    },
  ],
}
