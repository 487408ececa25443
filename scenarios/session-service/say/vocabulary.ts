import type { Vocabulary } from '@stateeval/program'

/** A session's own fields; 'the title of a session' is the title in its data. */
export const vocabulary: Vocabulary = { fields: ['id', 'source', 'type', 'data'], inside: 'data' }
