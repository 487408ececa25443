/** Whether this is a long run (`scripts/test --long`), which takes everything. */
export const isLong = process.env['STATEEVAL_LONG'] === '1'

/** Returns the first value in a default run, such as a number of tries, and the second in a long run. */
export const pickForRun = <T>(short: T, long: T): T => (isLong ? long : short)
