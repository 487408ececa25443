/**
 * What a process in a jail finds. stdin is empty, 1 and 2 are output, 3 hands over the listening socket, 4
 * carries frames.
 */
export const handoverFd = 3
export const frameFd = 4

/** Where a program finds its world, inside the jail’s own network namespace. */
export const jailPort = 8080
