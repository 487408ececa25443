/**
 * The descriptors of a process in a jail. stdin is empty, 1 and 2 are output, 3 passes the listening
 * socket, 4 carries frames.
 */
export const handoverFd = 3
export const frameFd = 4

/** Descriptors of a process that runs candidate code, at most; before that it may have more (rlimits.ts). */
export const maxDescriptors = 256

/** The port of the world inside the jail’s network namespace. */
export const jailPort = 8080
