/** Reads one line of cases.jsonl. What is wrong with it is said with the field. */
import { Case } from '@stateeval/contracts'
import {
  rejectCase,
  type BenchmarkHost,
  readCaseLine,
  type Scenario,
  validateProgram,
  withId,
} from '@stateeval/program'

/** The case of a line. Throws a ProblemError that names the field where the line is no valid case. */
export function parse(line: string, host: BenchmarkHost): Case {
  const c = readCaseLine(line, Case)
  const { program, scenario, oracles } = c
  if (program.scenario !== scenario)
    rejectCase('/program/scenario', `is ${program.scenario}, but the case is of ${scenario}`)
  const world = findCaseScenario(scenario, host)
  if (withId(program).id !== program.id)
    rejectCase('/program/id', 'is not the hash of the program: the program was changed after it was made')
  const [problem] = validateProgram(program, world)
  if (problem !== undefined) {
    const [pointer = '', ...says] = problem.split(': ')
    rejectCase(`/program${pointer}`, `is wrong: ${says.join(': ')}`)
  }
  const names = program.variables.map(({ name }) => name)
  for (const [n, { input }] of oracles.entries()) {
    const missing = names.find((name) => !Object.hasOwn(input.variables, name))
    if (missing !== undefined)
      rejectCase(
        `/oracles/${n}/input/variables/${missing}`,
        'is missing: every input has all variables of the program',
      )
  }
  for (const [n, { name }] of c.variables.entries())
    if (!names.includes(name))
      rejectCase(`/variables/${n}/name`, `is ${name}, which the program does not have`)
  return c
}

function findCaseScenario(id: string, host: BenchmarkHost): Scenario {
  try {
    return host.scenario(id)
  } catch {
    return rejectCase('/scenario', `is ${id}, which this version does not have`)
  }
}
