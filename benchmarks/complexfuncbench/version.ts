/** Raised where the same dialogue could be judged otherwise than before. */
export const version = '7'
