/**
 * Young memory of a thread. Where the limit is reached, Node allows a thread 16 MiB more until it has ended;
 * one collection must not move more than that into old memory, or the whole process is aborted.
 */
const youngMiB = 24

/** Returns the limits under which a thread that needs more memory ends alone. */
export const limitThreadMemory = (
  maxMiB: number,
): { maxOldGenerationSizeMb: number; maxYoungGenerationSizeMb: number } => ({
  maxOldGenerationSizeMb: maxMiB,
  maxYoungGenerationSizeMb: youngMiB,
})
