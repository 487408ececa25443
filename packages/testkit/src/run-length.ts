/** A long run (`scripts/test --long`) takes everything; a default run takes what fails when a feature breaks. */
export const isLong = process.env['STATEEVAL_LONG'] === '1'

/** Returns the first value in a default run, such as a number of tries, and the second in a long run. */
export const pickForRun = <T>(short: T, long: T): T => (isLong ? long : short)
