/** Reads one line of cases.jsonl. What is wrong with it is said with the field. */
import { Case, type Program, ProblemError, type Reference, schemaFault, type Step } from '@stateeval/contracts'
import { type BenchmarkHost, isCall, references, withId } from '@stateeval/program'

/** The case of a line. Throws a ProblemError that names the field where the line is no valid case. */
export function parse(line: string, host: BenchmarkHost): Case {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return bad('', `is no valid JSON: ${JSON.stringify(line.slice(0, 60))}; take the file from a benchmark folder as it was exported`)
  }
  const fault = schemaFault(Case, value)
  if (fault) return bad(fault.field, fault.says)
  const parsed = value as Case
  const { program, scenario, oracles } = parsed
  if (program.scenario !== scenario) bad('/program/scenario', `is ${program.scenario}, but the case is of ${scenario}`)
  try {
    host.scenario(scenario)
  } catch {
    bad('/scenario', `is ${scenario}, which this version does not have`)
  }
  if (withId(program).id !== program.id) bad('/program/id', 'is not the hash of the program: the program was changed after it was made')
  checkNames(program)
  const names = program.variables.map(({ name }) => name)
  for (const [n, { input }] of oracles.entries()) {
    const missing = names.find((name) => !Object.hasOwn(input.variables, name))
    if (missing !== undefined) bad(`/oracles/${n}/input/variables/${missing}`, 'is missing: every input has all variables of the program')
  }
  for (const [n, { name }] of parsed.variables.entries())
    if (!names.includes(name)) bad(`/variables/${n}/name`, `is ${name}, which the program does not have`)
  return parsed
}

/** Every name is bound before it is used, and bound once on a path. */
function checkNames({ variables, body, result, branch }: Program): void {
  const start = new Set<string>()
  for (const [n, { name }] of variables.entries()) {
    if (start.has(name)) bad(`/program/variables/${n}/name`, `is ${name} a second time`)
    start.add(name)
  }
  const shared = checkSteps(body, start, '/program/body')
  const known = (reference: Pick<Reference, 'variable'>, names: ReadonlySet<string>, field: string) => {
    if (!names.has(reference.variable)) bad(field, `is ${reference.variable}, which has no value there`)
  }
  for (const [n, { value }] of (result ?? []).entries()) known(value, shared, `/program/result/${n}/value/variable`)
  if (!branch) return
  known({ variable: branch.condition.variable }, shared, '/program/branch/condition/variable')
  known({ variable: branch.condition.equals }, start, '/program/branch/condition/equals')
  for (const name of ['then', 'otherwise'] as const) {
    const at = `/program/branch/${name}`
    const names = checkSteps(branch[name].steps, shared, `${at}/steps`)
    for (const [n, { value }] of branch[name].result.entries()) known(value, names, `${at}/result/${n}/value/variable`)
  }
}

function checkSteps(steps: readonly Step[], before: ReadonlySet<string>, field: string): Set<string> {
  const names = new Set(before)
  for (const [n, step] of steps.entries()) {
    const unknown = references(step).find(({ variable }) => !names.has(variable))
    if (unknown) bad(`${field}/${n}`, `uses ${unknown.variable}, which has no value there`)
    if (!isCall(step) || !step.binds) continue
    if (names.has(step.binds)) bad(`${field}/${n}/binds`, `is ${step.binds}, which has a value already`)
    names.add(step.binds)
  }
  return names
}

function bad(field: string, says: string): never {
  throw new ProblemError('validation-failed', `${field === '' ? 'the line' : `the case’s field ${field}`} ${says}`, field)
}
