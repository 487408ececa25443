import type { Phrase } from '@stateeval/program'

export const addSession: Phrase = {
  forms: [
    {
      says: ['add {item} as a new session'],
      args: { source: { slot: 'item', path: ['source'] }, type: { slot: 'item', path: ['type'] }, data: { slot: 'item', path: ['data'] } },
      slots: { item: 'reference' },
    },
  ],
  output: { whole: 'the answer to the added session', parts: { id: 'the id of the added session' } },
}
