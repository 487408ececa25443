/**
 * Closes inherited file descriptors first, so that code under test can never reach what the parent had
 * open.
 */
import { closeInherited } from '@stateeval/jail/descriptors'

closeInherited()
