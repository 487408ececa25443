/** A separate namespace for each test, so that tests can share servers. */
import { randomBytes } from 'node:crypto'

export const namespace = () => `test-${randomBytes(6).toString('hex')}`
