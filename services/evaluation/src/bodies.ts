/** The bodies of this service's operations; threads load this file, too. */
export { evaluationOperations as operations } from '@stateeval/contracts'
