/**
 * The order in which a backup reads and writes collections. A project may be active meanwhile: what a
 * document names must be in the backup, and nothing may go on with work whose documents are not restored yet.
 */

/** Small collections that name the work under way, with which sweeps go on. */
export const isMarks = (collection: string) => /\.(active|open|due-deliveries)$/.test(collection)
/** What documents of other collections name. */
const isNamed = (collection: string) => collection === 'artifacts' || collection === 'answers'

const ordered = (collections: readonly string[], rankOf: (collection: string) => number) =>
  collections.toSorted((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))

/** What others name last, so that it is complete for all that was stored meanwhile. */
export const backupOrder = (collections: readonly string[]): string[] =>
  ordered(collections, (one) => (isNamed(one) ? 2 : isMarks(one) ? 1 : 0))
/** What others name first, marks of work last. */
export const restoreOrder = (collections: readonly string[]): string[] =>
  ordered(collections, (one) => (isNamed(one) ? 0 : isMarks(one) ? 2 : 1))
