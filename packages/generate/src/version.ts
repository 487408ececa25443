/** Incremented whenever the same options give other programs. */
export const generatorVersion = '5'
