/** A test case: a scenario, and how many calls a program of it makes on each path. */
import {
  canonicalJson,
  formatScenarioName,
  listWorldArtifacts,
  type Program,
  TaskCase,
} from '@stateeval/contracts'
import {
  rejectCase,
  type BenchmarkHost,
  emit,
  listExecutionPaths,
  isCall,
  readCaseLine,
} from '@stateeval/program'

export const kind = 'llm-only'

export interface DocumentationCase extends TaskCase {
  task: {
    scenario: string
    /** On each path. */
    calls: number
    /** A program that the generator made, as JavaScript: it keeps to the constraints. */
    reference: string
  }
}

/** Builds the case of a program that the generator made. */
export function buildDocumentationCase(program: Program): DocumentationCase {
  const calls = Math.max(...listExecutionPaths(program).map(({ steps }) => steps.filter(isCall).length))
  const artifacts = listWorldArtifacts(program.scenario)
  return {
    id: `${formatScenarioName(program.scenario)}-${calls}`,
    kind,
    group: program.scenario,
    instruction: `Write a program of ${calls} calls from the documentation of ${program.scenario}.`,
    ...(artifacts.length > 0 && { artifacts }),
    task: { scenario: program.scenario, calls, reference: emit(program, 'javascript') ?? '' },
  }
}

export const formatDocumentationCase = (c: DocumentationCase) => canonicalJson(c)

export function parseCase(line: string, host: BenchmarkHost): DocumentationCase {
  const caseLine = readCaseLine(line, TaskCase)
  const task = caseLine.task as Partial<DocumentationCase['task']> | null
  const { scenario, calls, reference } = task ?? {}
  if (caseLine.kind !== kind) rejectCase('/kind', `must be ${kind}`)
  if (typeof scenario !== 'string') return rejectCase('/task/scenario', 'must be the id of a scenario')
  try {
    host.scenario(scenario)
  } catch {
    rejectCase(
      '/task/scenario',
      `names no scenario of this installation: ${JSON.stringify(scenario.slice(0, 100))}`,
    )
  }
  if (!Number.isInteger(calls) || calls! < 2 || calls! > 50)
    rejectCase('/task/calls', 'must be a whole number from 2 to 50')
  if (typeof reference !== 'string') rejectCase('/task/reference', 'must be a text')
  return caseLine as DocumentationCase
}
