/**
 * The first thing that the process does: what its parent had open is nothing that code under test may ever
 * reach.
 */
import { closeInherited } from '@stateeval/jail/descriptors'

closeInherited()
