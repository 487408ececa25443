/** A machine, or a device of it, has less memory than a run needs. The message says how much, and where. */
export class LackOfMemory extends Error {}
