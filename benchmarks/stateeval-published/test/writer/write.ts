/**
 * Cases in the published form, made from programs of our own scenarios. The truth comes from the state
 * machines, never from a run in the sandbox, so that replaying a case holds the harness against another path.
 * Programs that the form can't say give null.
 */
import type { ExecutionInput, JsonValue, Program, ResultEntry } from '@stateeval/contracts'
import { emit, type Scenario } from '@stateeval/program'
import { formatPythonValue } from './literal.ts'

/** One entry of `test_cases`. */
export interface WrittenTest {
  result: JsonValue
  state_oracle: JsonValue
  program: string
  program_info: {
    init_local_str: string
    init_local_info: [string, JsonValue][]
    init_implicit_dict: JsonValue
    end_implict_list: JsonValue
    init_load_str: string | null
    init_load_info: [string, JsonValue][] | null
  }
}

/** A program with the inputs that it is tested on: the first, and the flipped one where it has a branch. */
export interface WrittenSource {
  program: Program
  scenario: Scenario
  inputs: readonly ExecutionInput[]
}

/** The contents of `evaluator_<n>.json` and of its entry in `agent_data.json`. */
export const buildCaseFiles = (tests: readonly WrittenTest[]) => ({
  evaluator: { test_cases: tests, config: {} },
  agents: buildTranslation(tests[0]!),
})

/** Enough for a reader to see what is asked; sentences for models are written by hand. */
function buildTranslation({ program, program_info }: WrittenTest) {
  const names = [...program_info.init_local_info, ...(program_info.init_load_info ?? [])].map(
    ([name]) => name,
  )
  const instruction = [
    '<User Variable Definition>',
    ...names.map((name) => `- ${name}`),
    '',
    '<Task Instructions>',
    'Carry out the following steps, one after the other:',
    ...program
      .trimEnd()
      .split('\n')
      .map((line) => `    ${line}`),
  ].join('\n')
  return {
    generator_messages: [
      { role: 'system', content: 'Describe the program.' },
      { role: 'assistant', content: instruction },
    ],
    evaluator_messages: [
      { role: 'system', content: 'Judge the description.' },
      { role: 'assistant', content: '<OK>' },
    ],
    last_generator_output: instruction,
  }
}

type WrittenInit = Pick<WrittenTest['program_info'], 'init_local_str' | 'init_local_info'>

/** The initial block as its text and as pairs, where strings carry their own quotes. */
export function buildInit(variables: readonly [string, JsonValue][], withResult: boolean): WrittenInit {
  const lines = variables.map(([name, value]) => `${name} = ${formatPythonValue(value)}`)
  return {
    init_local_str: [...lines, ...(withResult ? ['RESULT = None'] : [])].map((line) => `${line}\n`).join(''),
    init_local_info: variables.map(([name, value]) => [
      name,
      typeof value === 'string' ? `"${value}"` : value,
    ]),
  }
}

/**
 * The program's text with these values as RESULT, each block its own, and no imports: the evaluator's prefix
 * has them.
 */
export function writeProgramText(
  program: Program,
  resultText: (values: readonly string[]) => string,
): string {
  const lines = (emit(program, 'python') ?? '').split('\n').filter((line) => !/^import \w+$/.test(line))
  return lines
    .map((line) => {
      const match = /^(\s*)RESULT = \{(.*)\}$/.exec(line)
      if (!match) return line
      const values = [...match[2]!.matchAll(/"value_\d+": (\w+(?:\["?\w+"?\])*)/g)].map(([, value]) => value!)
      return `${match[1]}RESULT = ${resultText(values)}`
    })
    .join('\n')
    .trimStart()
}

type WrittenBlockName = 'none' | 'then' | 'otherwise'

/** The program with other RESULT entries in each block, under keys that `writeProgramText` reads. */
export function withResults(
  program: Program,
  choose: (
    entries: readonly ResultEntry[],
    block: WrittenBlockName,
  ) => readonly ResultEntry['value'][] | null,
): Program | null {
  const keyed = (entries: readonly ResultEntry[], block: WrittenBlockName) => {
    const values = choose(entries, block)
    return values && values.map((value, n) => ({ key: `value_${n}`, value }))
  }
  const { branch } = program
  if (!branch) {
    const result = keyed(program.result ?? [], 'none')
    return result && { ...program, result }
  }
  const [then, otherwise] = [keyed(branch.then.result, 'then'), keyed(branch.otherwise.result, 'otherwise')]
  if (!then || !otherwise) return null
  return {
    ...program,
    branch: {
      ...branch,
      then: { ...branch.then, result: then },
      otherwise: { ...branch.otherwise, result: otherwise },
    },
  }
}
