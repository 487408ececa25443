/** The bodies of this service's operations; threads load this file, too. */
export { executionOperations as operations } from '@stateeval/contracts'
