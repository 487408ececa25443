/** The verdict of a gate, with names of options. */
import type { GateCheck, GateVerdict } from '@stateeval/contracts'

/** A sentence of the service, with options in place of fields. */
export const replaceFieldNames = (sentence: string) =>
  sentence.replaceAll('`significant`', '--significant').replaceAll('`unscored`', '--unscored')

const getRemedyText = ({ name, passed }: GateCheck) =>
  passed || name !== 'unscored' ? '' : ' Evaluate again, or allow some with --max-unscored.'

/** One sentence per check with its outcome, then the limits of the verdict. */
export function formatGate(gate: GateVerdict): string {
  const lines = gate.checks.map(
    (check) =>
      `  ${check.passed ? 'passed' : 'failed'}  ${replaceFieldNames(check.says)}${getRemedyText(check)}`,
  )
  const notes = gate.notes.map((note) => `  note    ${replaceFieldNames(note)}`)
  return [gate.passed ? 'The gate passed.' : 'The gate failed.', ...lines, ...notes].join('\n')
}
