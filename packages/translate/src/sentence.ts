/** Connectives of clauses and sentences: the same lists are used for writing and reading. */

/** Between the clauses of one sentence. */
export const separators = [', then', ' and then', ', and then', ', and', ' and', ','] as const
/** At the start of a sentence. */
export const opening = ['First,', 'To begin,', 'Please', 'To start,'] as const
export const following = ['Then', 'Next,', 'After that,', 'Then,', 'Now'] as const
export const closing = ['Finally,', 'Lastly,', 'At the end,', 'In the end,'] as const
/** At the start of a further paragraph of a branch. */
export const still = 'Still in this case,'
export const connectives: readonly string[] = [...opening, ...following, ...closing, still]
/** After a long condition: the next sentences contain the steps. */
export const theFollowing = 'do the following'
/** At the start of the other branch. */
export const otherwises = ['Otherwise', 'If not', 'In any other case'] as const

export const capitalize = (text: string) => `${(text[0] ?? '').toUpperCase()}${text.slice(1)}`
