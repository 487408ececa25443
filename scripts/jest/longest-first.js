/**
 * Jest's order of files: those that are known to take longest first, so that no worker waits for one at the
 * end.
 */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const Sequencer = require('@jest/test-sequencer').default
const longest = [
  /sandbox-suites\/src\/(attacks|levels|odd|world-attacks|python|soak|calls)/,
  /e2e\/crash/,
  /evaluation\/test\//,
  /local-sandbox/,
  /stateeval\/test\//,
  /\/test\//,
  /\/e2e\//,
  /runtime-python|scripts\/clients/,
]
const rank = ({ path }) => {
  const found = longest.findIndex((pattern) => pattern.test(path))
  return found < 0 ? longest.length : found
}

export default class LongestFirst extends Sequencer {
  sort(tests) {
    return [...tests].sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1))
  }
}
