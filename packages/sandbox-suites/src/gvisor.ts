/** Whether this machine has gVisor: suites then take its level too, otherwise they say why not. */
import { findMissingContainers } from '@stateeval/jail'

const lacks = findMissingContainers()
if (lacks !== undefined) console.warn(`the level gvisor is not tried: ${lacks}`)
export const hasGvisor = lacks === undefined
