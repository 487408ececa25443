/**
 * The description of a program for the agents: its code and the shapes of its variables, never their
 * values.
 */
import type { Language, Program } from '@stateeval/contracts'
import {
  describeTensor,
  documentProgramApis,
  emit,
  isTensor,
  listResultKeys,
  type Scenario,
} from '@stateeval/program'

export interface AgentBrief {
  documentation: string
  code: string
  /** A line a variable: its name and the shape of its value. */
  variables: string
  /** The keys of RESULT, on each path. */
  result: string
}

/** Null if the program cannot be written in the language. */
export function buildBrief(
  program: Program,
  scenario: Pick<Scenario, 'operations' | 'documentation'>,
  language: Language,
): AgentBrief | null {
  const code = emit(program, language)
  if (code === null) return null
  return {
    documentation: documentProgramApis(program, scenario, language).trim(),
    code: code.trim(),
    variables:
      program.variables
        .map(({ name, values }) => `- \`${name}\`: ${describeValueShape(values[0])}`)
        .join('\n') || '(none)',
    result: listResultKeys(program)
      .map((key) => `\`${key}\``)
      .join(', '),
  }
}

function describeValueShape(value: unknown): string {
  if (isTensor(value)) return describeTensor(value.$tensor)
  if (Array.isArray(value)) return value.length === 0 ? 'list' : `list of ${describeValueShape(value[0])}`
  if (value === null) return 'null'
  if (typeof value !== 'object') return typeof value
  const members = Object.entries(value).map(([name, part]) => `${name}: ${describeValueShape(part)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
