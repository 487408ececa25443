/** Looks for gVisor on this machine: with it, suites try its level too, otherwise they say why not. */
import { findMissingContainers } from '@stateeval/jail'

const lacks = findMissingContainers()
if (lacks !== undefined) console.warn(`the level gvisor is not tried: ${lacks}`)
export const hasGvisor = lacks === undefined
