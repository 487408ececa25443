/**
 * Incremented whenever the same options give other programs. Levels of difficulty are the scenario's, and
 * so is the version that changes with them.
 */
export const generatorVersion = '5'
