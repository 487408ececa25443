/**
 * Weaknesses of a case that show before anything runs: reported with the import and in the case, never
 * counted against answers.
 */
import type { ScenarioName, ProgramTest } from '../case.ts'

/** The flags by their meaning, as a data card explains them. */
export const meanings = {
  dead_delete:
    'a DELETE tests a field of `data` at the top level of an item, which is never there: it deletes nothing',
  same_branches: '`if` and `else` are the same text',
  empty_truth:
    'RESULT of the truth is `{}` without its id: the released comparison accepts `{}` only by its form',
  list_of_sessions:
    'RESULT is a list of sessions with ids of the generating run: nothing equals it as published',
  no_state: 'nothing is left in the service: as published, the final state is not looked at',
  unjudged: 'the instruction was changed after its last judgement',
  not_accepted: 'the last judgement contains OK but is not <OK>: under `sound` no answer counts',
} as const
export type CaseFlag = keyof typeof meanings

const guard = /\bif\s+(['"]\w+['"])\s+in\s+(\w+)\s+and\s+\2\[\1\]\s*==/

export function findFlags(scenario: ScenarioName, tests: readonly ProgramTest[]): CaseFlag[] {
  const [{ program, result, state }] = tests as [ProgramTest]
  const flags: CaseFlag[] = []
  if (scenario === 'session') {
    if (program.includes('requests.delete') && guard.test(program)) flags.push('dead_delete')
    if (
      result !== null &&
      typeof result === 'object' &&
      !Array.isArray(result) &&
      Object.keys(result).length === 0
    )
      flags.push('empty_truth')
    if (Array.isArray(result) && result.length > 0) flags.push('list_of_sessions')
    if (state?.length === 0) flags.push('no_state')
  }
  if (hasSameBranches(program)) flags.push('same_branches')
  return flags
}

/** Tells whether the first `if` with an `else` at its own depth has two equal branches. */
function hasSameBranches(program: string): boolean {
  const lines = program.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('#'))
  const at = lines.findIndex((line) => /^if\b.*:\s*$/.test(line))
  const other = lines.findIndex((line, n) => n > at && /^else\s*:\s*$/.test(line))
  if (at < 0 || other < 0) return false
  const end = lines.findIndex((line, n) => n > other && !/^\s/.test(line))
  return (
    lines.slice(at + 1, other).join('\n') === lines.slice(other + 1, end < 0 ? undefined : end).join('\n')
  )
}
