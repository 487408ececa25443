/** Runs once, before Jest starts its workers. */
import { endChildrenWithThis } from '@stateeval/testkit/end-with-owner'
import { measureMachine } from '@stateeval/testkit/patience'

export default function setUp(): void {
  endChildrenWithThis()
  measureMachine()
}
