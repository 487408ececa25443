/**
 * Rules for candidate code, as the prompt states them, by language and by how the scenario's APIs are called.
 */
import type { Language } from '@stateeval/contracts'
import type { Scenario } from '@stateeval/program'
import { type ReadingRule, readingRules } from '@stateeval/translate'

type ApiKind = Scenario['operations'][number]['say']['call']['kind']

interface LanguageRules {
  /** The language as a reader calls it, and the word after a fence. */
  name: string
  fence: string
  /** `modules`: those that functions stand in, such as torch. */
  rules: (kind: ApiKind, modules: string) => readonly string[]
}

const describeJavascriptScript = (modules: string) =>
  `The program is a script for Node.js 24. \`await\` works at the top level. \`require\` and \`import\` give ${modules}Node’s own modules, nothing else.`
const describePythonScript = (modules: string) =>
  `The program is a script for Python 3.9 or later. \`import\` gives ${modules}Python’s standard library, nothing else.`
const variables =
  'The variables listed above exist already as globals: use them by their names, do not declare or redefine them.'
const javascriptResult =
  'At the end of every path, set `RESULT` to an object with exactly the keys that the instruction names: `RESULT = { … }`.'
const pythonResult =
  'At the end of every path, set the global `RESULT` of the script to a dict with exactly the keys that the instruction names: `RESULT = { … }`. Inside a function it needs `global RESULT`.'
const tensors = 'Tensors stand in `RESULT` as they are, and the pieces of a split as a list of them.'
const inOrder =
  'Do what the instruction says, in its order, and leave out optional arguments that it does not name. Do not catch errors to hide them.'

export const rulesOf: Readonly<Partial<Record<Language, LanguageRules>>> = {
  javascript: {
    name: 'JavaScript',
    fence: 'javascript',
    rules(kind, modules) {
      switch (kind) {
        case 'http':
          return [
            describeJavascriptScript('axios and '),
            variables,
            'Send requests to the service at the global `BASE_URL`, such as `axios.get(`${BASE_URL}/…`)`. Nothing else can be reached.',
            'Ids are known to the service only: take them from its responses, never make them up.',
            javascriptResult,
            'Do what the instruction says, in its order, and change nothing else in the service. Leave out optional arguments that it does not name. Do not catch errors to hide them.',
          ]
        case 'function':
          return [
            describeJavascriptScript(`${modules} and `),
            variables,
            `${javascriptResult} ${tensors}`,
            inOrder,
          ]
        case 'tool':
          return [
            describeJavascriptScript(''),
            variables,
            'The documented tools are global asynchronous functions: call them with `await`. Nothing else can be reached.',
            javascriptResult,
            'Do what the instruction says, in its order, and call nothing else. Leave out optional arguments that it does not name. Do not catch errors to hide them.',
          ]
      }
    },
  },
  python: {
    name: 'Python',
    fence: 'python',
    rules(kind, modules) {
      switch (kind) {
        case 'http':
          return [
            describePythonScript('requests and '),
            `${variables} Objects are dicts.`,
            'Send requests to the service at the global `BASE_URL`, such as `requests.get(f"{BASE_URL}/…")`. Nothing else can be reached.',
            'Ids are known to the service only: take them from its responses, never make them up.',
            pythonResult,
            'Do what the instruction says, in its order, and change nothing else in the service. Leave out optional arguments that it does not name. Call `raise_for_status()` on responses, and do not catch errors to hide them.',
          ]
        case 'function':
          return [describePythonScript(`${modules} and `), variables, `${pythonResult} ${tensors}`, inOrder]
        case 'tool':
          return [
            describePythonScript(''),
            `${variables} Objects are dicts.`,
            'The documented tools are global functions. Nothing else can be reached.',
            pythonResult,
            'Do what the instruction says, in its order, and call nothing else. Leave out optional arguments that it does not name. Do not catch errors to hide them.',
          ]
      }
    },
  },
}

/** How the scenario's APIs are called. */
export const getApiKind = ({ operations }: Pick<Scenario, 'operations'>): ApiKind =>
  operations[0]?.say.call.kind ?? 'http'

/**
 * How words of the instruction are to be taken. Where nothing is kept that could change, nothing has to be
 * said of changes.
 */
const listReadingRules = ({ reread }: Pick<Scenario, 'reread'>): readonly ReadingRule[] =>
  reread ? ['counted', 'latest', 'named', 'returned', 'edited'] : ['counted', 'latest', 'named']

/** The same as sentences. */
export const describeReadings = (scenario: Pick<Scenario, 'reread'>): readonly string[] =>
  listReadingRules(scenario).map((rule) => readingRules[rule])

/** The rules for a scenario. */
export function listScenarioRules(
  { rules }: LanguageRules,
  scenario: Pick<Scenario, 'operations' | 'reread'>,
): readonly string[] {
  const modules = scenario.operations.flatMap(({ say: { call } }) =>
    call.kind === 'function' ? [call.name.split('.')[0] as string] : [],
  )
  return [...rules(getApiKind(scenario), [...new Set(modules)].join(', ')), ...describeReadings(scenario)]
}
