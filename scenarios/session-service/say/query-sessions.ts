import type { Phrase } from '@stateeval/program'

export const querySessions: Phrase = {
  forms: [
    {
      says: ['find the sessions with the source and type of {of} whose {field} is {value}'],
      args: {
        source: { slot: 'of', path: ['source'] },
        type: { slot: 'of', path: ['type'] },
        field: { slot: 'field' },
        value: { slot: 'value' },
      },
      slots: { of: 'reference', field: 'literal', value: 'reference' },
    },
  ],
  output: { whole: 'the sessions found', item: 'session' },
}
