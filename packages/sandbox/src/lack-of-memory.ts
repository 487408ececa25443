/**
 * A machine, or one of its devices, has less memory than a run needs. The message names the amount and the
 * place.
 */
export class LackOfMemory extends Error {}
