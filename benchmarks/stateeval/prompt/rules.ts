/** What candidate code may rely on and must do, as the prompt says it, by language. */
import type { Language } from '@stateeval/contracts'

export interface Rules {
  /** The language as a reader calls it, and the word after a fence. */
  name: string
  fence: string
  rules: readonly string[]
}

export const rulesOf: Readonly<Partial<Record<Language, Rules>>> = {
  javascript: {
    name: 'JavaScript',
    fence: 'javascript',
    rules: [
      'The program is a script for Node.js 24. `await` works at the top level. `require` and `import` give axios and Node’s own modules, nothing else.',
      'The variables listed above exist already as globals: use them by their names, do not declare or redefine them.',
      'Send requests to the service at the global `BASE_URL`, such as `axios.get(`${BASE_URL}/…`)`. Nothing else can be reached.',
      'Ids are known to the service only: take them from its responses, never make them up.',
      'At the end of every path, set `RESULT` to an object with exactly the keys that the instruction names: `RESULT = { … }`.',
      'Do what the instruction says, in its order, and change nothing else in the service. Do not catch errors to hide them.',
    ],
  },
  python: {
    name: 'Python',
    fence: 'python',
    rules: [
      'The program is a script for Python 3.9 or later. `import` gives requests and Python’s standard library, nothing else.',
      'The variables listed above exist already as globals: use them by their names, do not declare or redefine them. Objects are dicts.',
      'Send requests to the service at the global `BASE_URL`, such as `requests.get(f"{BASE_URL}/…")`. Nothing else can be reached.',
      'Ids are known to the service only: take them from its responses, never make them up.',
      'At the end of every path, set the global `RESULT` of the script to a dict with exactly the keys that the instruction names: `RESULT = { … }`. Inside a function it needs `global RESULT`.',
      'Do what the instruction says, in its order, and change nothing else in the service. Call `raise_for_status()` on responses, and do not catch errors to hide them.',
    ],
  },
}
